import { describeContract } from './contract';

describeContract({
  provider: 'openai',
  wire: 'responses',
  model: 'gpt-5',
  path: '/v1/responses',
  tooLong: {
    status: 400,
    body: { error: { code: 'context_length_exceeded', message: 'too long', type: 'invalid_request_error' } },
  },
  errorUnderOk: {
    kind: 'rate_limited',
    body: {
      id: 'resp_1',
      status: 'failed',
      output: [],
      error: { code: 'rate_limit_exceeded', message: 'slow down' },
    },
  },
});
