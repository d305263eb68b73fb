import { openProviders } from '../../../activities/providers';
import { anthropic } from '../../../activities/providers/anthropic';
import { google } from '../../../activities/providers/google';
import type { KeyedProvider } from '../../../activities/providers/keyed-provider';
import { openai } from '../../../activities/providers/openai';
import { compatibleProvider } from '../../../activities/providers/openai-compatible';
import { openrouter } from '../../../activities/providers/openrouter';
import type { Provider } from '../../../activities/providers/provider';
import { closedPortUrl } from '../../doubles/raw-llm-double';
import type { ContractBench, ContractSubject } from './contract-bench';
import { keyOf, providerEnv } from './provider-env';
import { forcedRequest, sendOptions } from './sample-requests';

/** Ways in which there is no answer: each as its own kind. */
export function describeFailing(subject: ContractSubject, bench: () => ContractBench): void {
  const { provider: name, model } = subject;

  describe('fails', () => {
    it.each([
      [400, 'bad_request'],
      [401, 'unauthorized'],
      [402, 'payment_required'],
      [403, 'unauthorized'],
      [404, 'bad_request'],
      [422, 'bad_request'],
      [429, 'rate_limited'],
      [500, 'server_error'],
      [502, 'server_error'],
      [503, 'overloaded'],
      [529, 'overloaded'],
      [307, 'bad_request'],
    ])('HTTP %i as %s', async (status, kind) => {
      bench().reply({
        kind: 'json',
        status,
        headers: { location: 'http://127.0.0.1:9/' },
        body: { error: { message: 'no' } },
      });
      const { kind: told, details } = await bench().failure();
      expect({ told, status: details.httpStatus, provider: details.provider }).toEqual({
        told: kind,
        status,
        provider: name,
      });
    });

    it('a refusal whose body is HTML by its status', async () => {
      bench().reply({ kind: 'text', status: 502, text: '<html>bad gateway</html>' });
      expect((await bench().failure()).kind).toBe('server_error');
    });

    it('Retry-After in seconds, in milliseconds and as a date, uncapped', async () => {
      const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
      const waits: (number | undefined)[] = [];
      for (const headers of [
        { 'retry-after': '7200' },
        { 'retry-after-ms': '1500' },
        { 'retry-after': inAnHour },
        {},
      ]) {
        bench().reply({ kind: 'json', status: 429, headers: headers as Record<string, string>, body: {} });
        waits.push((await bench().failure()).details.retryAfterMs);
      }
      expect(waits[0]).toBe(7_200_000);
      expect(waits[1]).toBe(1500);
      expect(waits[2]).toBeGreaterThan(3_500_000);
      expect(waits[2]).toBeLessThanOrEqual(3_600_000);
      expect(waits[3]).toBeUndefined();
    });

    it('too long a prompt as context_too_long', async () => {
      bench().reply({ kind: 'json', ...subject.tooLong });
      expect((await bench().failure()).kind).toBe('context_too_long');
    });

    it('an error body under status 200 by the code inside', async () => {
      bench().reply({ kind: 'json', body: subject.errorUnderOk.body });
      const { kind, details } = await bench().failure();
      expect([kind, details.httpStatus]).toEqual([subject.errorUnderOk.kind, 200]);
    });

    it('HTML under status 200 as unreadable', async () => {
      bench().reply({ kind: 'text', text: '<html>hello</html>' });
      expect((await bench().failure()).kind).toBe('unreadable');
    });

    it('an answer cut off mid-body, and a connection reset after sending, as dropped', async () => {
      bench().reply({ kind: 'cut', text: '{"id":"x",' });
      expect((await bench().failure()).kind).toBe('dropped');
      bench().reply({ kind: 'reset' });
      expect((await bench().failure()).kind).toBe('dropped');
    });

    it('a refused connection as not_sent', async () => {
      const nowhere = openProviders(providerEnv(await closedPortUrl())).get(name)!;
      expect((await bench().failure({}, nowhere)).kind).toBe('not_sent');
    });

    it.each([
      ['Ⅷ', 'refused_by_sdk'],
      ['\n', 'refused_by_sdk'],
      ['\u0001', 'refused_before_sending'],
      ['\u007f', 'refused_before_sending'],
    ])(
      'a key with %j, which no header can hold, as bad_request, with nothing sent and the key not told',
      async (character, code) => {
        const key = `${keyOf(name)}${character}1`;
        const { kind, details, stack } = await bench().failure({}, openWith(name, key, bench().double.url));
        expect([kind, details.code]).toEqual(['bad_request', code]);
        expect(stack).not.toContain(keyOf(name));
        expect(bench().double.requests).toHaveLength(0);
      },
    );

    // Port 6000 (X11) is one of those that `fetch` never asks: https://fetch.spec.whatwg.org/#port-blocking
    it.each(['http://127.0.0.1:6000', 'http://user:word@127.0.0.1:9'])(
      'the address %s, which is never asked, as bad_request',
      async (address) => {
        const { kind, details } = await bench().failure({}, openWith(name, 'key', address));
        expect([kind, details.code]).toEqual(['bad_request', 'refused_before_sending']);
      },
    );

    it('a key with a line end behind it is sent without', async () => {
      const env = Object.entries(providerEnv(bench().double.url)).map(([variable, value]) => {
        return [variable, variable.endsWith('_API_KEY') ? `${value}\r\n` : value] as const;
      });
      bench().reply({ kind: 'json', status: 400, body: {} });
      await bench().failure({}, openProviders(Object.fromEntries(env)).get(name)!);
      const { headers } = bench().double.requests[0]!;
      expect([headers.authorization, headers['x-goog-api-key']]).toContain(
        name === 'google' ? keyOf(name) : `Bearer ${keyOf(name)}`,
      );
    });

    it('silence as timeout, before and after the headers', async () => {
      // Long enough for a busy machine to connect: a request that never went out is another failure.
      const timeoutMs = 1_000;
      bench().reply({ kind: 'silence' });
      expect((await bench().failure({ timeoutMs })).kind).toBe('timeout');
      bench().reply({ kind: 'stall', text: '{"id":"x",' });
      expect((await bench().failure({ timeoutMs })).kind).toBe('timeout');
    });

    it('with the reason of the signal when the caller aborts, before or in flight', async () => {
      bench().reply({ kind: 'silence' });
      const body = bench().provider.build(forcedRequest(model));
      const reason = new Error('the reason itself');
      const aborted = AbortSignal.abort(reason);
      await expect(bench().provider.send(body, sendOptions(model, { signal: aborted }))).rejects.toBe(reason);
      expect(bench().double.requests).toHaveLength(0);
      const controller = new AbortController();
      const sent = bench().provider.send(body, sendOptions(model, { signal: controller.signal }));
      while (bench().double.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort(reason);
      await expect(sent).rejects.toBe(reason);
    });

    it('without a word of prompt, answer or key in its error', async () => {
      const words = `PROMPT-WORDS ANSWER-WORDS ${keyOf(name)}`;
      const error = { message: words, code: words, type: words, status: words, metadata: { raw: words } };
      for (const status of [200, 400, 500]) {
        bench().reply({ kind: 'json', status, body: { type: 'error', error } });
        const caught = await bench().failure();
        const told = `${caught.message} ${caught.stack} ${JSON.stringify(caught)} ${String(caught.cause)}`;
        expect(told).not.toMatch(/PROMPT-WORDS|ANSWER-WORDS/);
        expect(told).not.toContain(keyOf(name));
      }
    });
  });
}

const OPENED: Record<string, KeyedProvider> = { anthropic, google, openai, openrouter };

/** With any key and at any address, past what is refused when the environment is read. */
function openWith(name: string, key: string, url: string): Provider {
  return OPENED[name]?.open(key, url) ?? compatibleProvider(name, key, url);
}
