import { type ContractBench, type ContractSubject, openBench } from './contract-bench';
import { describeFailing } from './contract-failing';
import { describeReading } from './contract-reading';
import { describeSending } from './contract-sending';
import { HOSTILE_ENV } from './provider-env';
import { forcedRequest } from './sample-requests';

/** The one contract that every provider keeps, against an HTTP double of its wire. */
export function describeContract(subject: ContractSubject): void {
  const { provider: name, model } = subject;

  describe(`the contract of ${name}`, () => {
    let opened: ContractBench;
    const bench = () => opened;
    const environment = { ...process.env };

    beforeAll(async () => {
      Object.assign(process.env, HOSTILE_ENV);
      opened = await openBench(subject);
    });
    afterAll(async () => {
      process.env = environment;
      await opened.double.stop();
    });
    beforeEach(() => {
      opened.double.requests.length = 0;
    });

    describeSending(subject, bench);
    describeReading(subject, bench);
    describeFailing(subject, bench);

    it('reads an answer of 5 MB', async () => {
      bench().answered({ text: 'x'.repeat(5 * 2 ** 20) });
      const completion = await bench().complete(forcedRequest(model, { toolChoice: { kind: 'auto' } }));
      expect(completion.kind === 'text' && completion.text.length).toBe(5_242_880);
    });

    it('gives up on an answer over 20 MB as unreadable, though it is good JSON', async () => {
      bench().answered({ text: 'x'.repeat(20 * 2 ** 20) });
      expect((await bench().failure()).kind).toBe('unreadable');
    });
  });
}
