import { describeContract } from './contract';

// llama.cpp's own words, as measured: reference "Compatible servers".
const tooLong = {
  status: 400,
  body: {
    error: {
      code: 400,
      type: 'exceed_context_size_error',
      message: 'the request exceeds the available context size',
      n_prompt_tokens: 9000,
      n_ctx: 8192,
    },
  },
};
const errorUnderOk = {
  kind: 'overloaded',
  body: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
};

describeContract({
  provider: 'openai-compatible',
  wire: 'chat',
  model: 'qwen3-4b',
  path: '/v1/chat/completions',
  tooLong,
  errorUnderOk,
});
describeContract({
  provider: 'compat-my-lab',
  wire: 'chat',
  model: 'org/model:free',
  path: '/lab/v1/chat/completions',
  tooLong,
  errorUnderOk,
});
