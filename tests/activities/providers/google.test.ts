import { describeContract } from './contract';

describeContract({
  provider: 'google',
  wire: 'gemini',
  model: 'gemini-2.5-flash',
  path: '/v1beta/models/gemini-2.5-flash:generateContent',
  tooLong: {
    status: 400,
    body: {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  },
  errorUnderOk: {
    kind: 'overloaded',
    body: { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
  },
});
