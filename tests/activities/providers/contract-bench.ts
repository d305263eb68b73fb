import { openProviders } from '../../../activities/providers';
import {
  type CompletionRequest,
  type Provider,
  ProviderFailure,
  type SendOptions,
} from '../../../activities/providers/provider';
import type { Completion } from '../../../core/completion';
import { type RawDouble, type RawReply, startRawDouble } from '../../doubles/raw-llm-double';
import { type PlainAnswer, type WireName, wireAnswer } from '../../doubles/wire-answers';
import { providerEnv } from './provider-env';
import { forcedRequest, sendOptions } from './sample-requests';

/** What differs between the providers, as far as the contract goes. */
export interface ContractSubject {
  provider: string;
  wire: WireName;
  model: string;
  path: string;
  /** How its API says that a prompt is too long: status and body. */
  tooLong: { status: number; body: unknown };
  /** An error of its own that it tells under status 200, and the kind it is. */
  errorUnderOk: { body: unknown; kind: string };
}

/** A provider with its double, as the parts of the contract use them. */
export interface ContractBench {
  subject: ContractSubject;
  double: RawDouble;
  provider: Provider;
  /** What the double answers from now on. */
  reply(reply: RawReply): void;
  /** The same, with an answer on the provider's own wire. */
  answered(answer: Omit<PlainAnswer, 'model'>): void;
  /** Builds, sends and reads. */
  complete(request?: CompletionRequest): Promise<Completion>;
  /** The ProviderFailure that sending ends in. */
  failure(changes?: Partial<SendOptions>, from?: Provider): Promise<ProviderFailure>;
}

/** A new double and a provider at its address, in an environment that is full of other people's keys. */
export async function openBench(subject: ContractSubject): Promise<ContractBench> {
  const { model, wire } = subject;
  let answer: RawReply = { kind: 'reset' };
  const double = await startRawDouble(() => answer);
  const provider = openProviders(providerEnv(double.url)).get(subject.provider)!;
  return {
    subject,
    double,
    provider,
    reply: (reply) => {
      answer = reply;
    },
    answered: (plain) => {
      answer = { kind: 'json', body: wireAnswer(wire, { model: `${model}-real`, ...plain }) };
    },
    complete: async (request = forcedRequest(model)) => {
      const body = provider.build(request);
      return provider.read(await provider.send(body, sendOptions(model)), request);
    },
    failure: async (changes = {}, from = provider) => {
      const body = from.build(forcedRequest(model));
      const error: unknown = await from.send(body, sendOptions(model, changes)).catch((caught) => caught);
      if (!(error instanceof ProviderFailure)) throw new Error(`no ProviderFailure: ${String(error)}`);
      return error;
    },
  };
}
