import { describeContract } from './contract';

describeContract({
  provider: 'openrouter',
  wire: 'openrouter',
  model: 'anthropic/claude-haiku-4.5',
  path: '/api/v1/chat/completions',
  tooLong: {
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
      },
    },
  },
  errorUnderOk: { kind: 'payment_required', body: { error: { code: 402, message: 'Insufficient credits' } } },
});
