import { describeContract } from './contract';

describeContract({
  provider: 'anthropic',
  wire: 'messages',
  model: 'claude-haiku-4-5',
  path: '/v1/messages',
  // platform.claude.com/docs/en/api/errors: 400, told apart by its words only
  tooLong: {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
    },
  },
  errorUnderOk: {
    kind: 'overloaded',
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
});
