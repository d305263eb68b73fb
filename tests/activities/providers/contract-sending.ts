import type { ContractBench, ContractSubject } from './contract-bench';
import { HOSTILE_WORDS, keyOf, keysBut } from './provider-env';
import { ARGUMENTS, FORCED_TOOL, forcedRequest, sendOptions } from './sample-requests';

/** What goes over the wire. */
export function describeSending(subject: ContractSubject, bench: () => ContractBench): void {
  const { provider: name, model } = subject;

  describe('sends', () => {
    // First of all: OpenAI's SDK keeps the console's methods as it first finds them.
    it('nothing to the console, whatever the SDKs are told to log', async () => {
      const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
      const spies = methods.map((method) => jest.spyOn(console, method).mockImplementation(() => undefined));
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      await bench().complete();
      const calls = spies.flatMap((spy) => spy.mock.calls);
      for (const spy of spies) spy.mockRestore();
      expect(calls).toEqual([]);
    });

    it('exactly the body that build() made, byte for byte', async () => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      const body = bench().provider.build(forcedRequest(model));
      await bench().provider.send(body, sendOptions(model));
      expect(bench().double.requests).toHaveLength(1);
      expect(bench().double.requests[0]!.text).toBe(JSON.stringify(body));
      expect(bench().double.requests[0]!.path).toBe(subject.path);
    });

    it('the same bytes for the same request, and neither NUL nor a lone surrogate', () => {
      const [one, two] = [1, 2].map(() => JSON.stringify(bench().provider.build(forcedRequest(model))));
      expect(one).toBe(two);
      expect(one).toContain('“marks”');
      expect(one).not.toMatch(/\\u0000|\\ud800/);
    });

    it('the call id in x-co-scientist-call, whatever characters it has', async () => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      const body = bench().provider.build(forcedRequest(model));
      await bench().provider.send(body, sendOptions(model));
      await bench().provider.send(body, sendOptions(model, { callId: 'a/ü\n/1' }));
      expect(bench().double.requests.map(({ callId }) => callId)).toEqual([
        'bnc_X/haiku[pipe]/1/turn/1#1',
        'a/\\u{fc}\\u{a}/1',
      ]);
    });

    it('its own key and no other, and nothing that the SDKs read from the environment', async () => {
      bench().answered({ calls: [{ tool: FORCED_TOOL.name, arguments: ARGUMENTS }] });
      await bench().complete();
      const [seen] = bench().double.requests;
      const sent = JSON.stringify([seen!.path, seen!.headers, seen!.text]);
      expect(sent).toContain(keyOf(name));
      for (const foreign of [...keysBut(name), ...HOSTILE_WORDS]) expect(sent).not.toContain(foreign);
    });

    it('no temperature, top_p or top_k', () => {
      const body = JSON.stringify(bench().provider.build(forcedRequest(model)));
      expect(body).not.toMatch(/temperature|top_?[pk]\b/i);
    });

    it('once: neither a refusal that invites retries nor a broken connection is asked again', async () => {
      const headers = { 'x-should-retry': 'true', 'retry-after': '0' };
      bench().reply({ kind: 'json', status: 503, headers, body: {} });
      await bench().failure();
      expect(bench().double.requests).toHaveLength(1);
      bench().reply({ kind: 'reset' });
      await bench().failure();
      expect(bench().double.requests).toHaveLength(2);
    });
  });
}
