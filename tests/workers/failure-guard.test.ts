import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { NoResultError } from 'kysely';
import { BrokenInvariant } from '../../core/broken-invariant';
import { assertTransition } from '../../core/state-transitions';
import { FailureGuard } from '../../workers/failure-guard';

/** As pg throws: an Error with the SQLSTATE, or the system's code. */
const coded = (code: string) => Object.assign(new Error('its words'), { code });

async function failureOf(thrown: unknown): Promise<ApplicationFailure> {
  const logger = new DefaultLogger('ERROR', () => {});
  const environment = new MockActivityEnvironment(
    { activityType: 'judgeVerdict' },
    { logger, interceptors: [(context) => ({ inbound: new FailureGuard(context) })] },
  );
  const failing = environment.run(async () => {
    throw thrown;
  });
  return failing.then(
    () => Promise.reject(new Error('did not fail')),
    (error: unknown) => error as ApplicationFailure,
  );
}

test.each([
  ['a broken invariant', new BrokenInvariant('no such match')],
  ['an illegal transition', illegalTransition()],
  ['a TypeError of ours', new TypeError('x is not a function')],
  ['a TypeError of Node itself', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
  ['a RangeError', new RangeError('Maximum call stack size exceeded')],
  ['a SyntaxError', new SyntaxError('Unexpected token')],
  ['a row that is not there, as kysely says it', new NoResultError({} as never)],
  ['22P02, a value Postgres cannot read', coded('22P02')],
  ['23514, a check violated', coded('23514')],
  ['42703, no such column', coded('42703')],
])('%s is not tried again for 24 h: it fails at once', async (_, thrown) => {
  expect(await failureOf(thrown)).toMatchObject({ nonRetryable: true });
});

test.each([
  ['53100, disk full', coded('53100')],
  ['53300, too many connections', coded('53300')],
  ['57P01, Postgres is going down', coded('57P01')],
  ['57P03, Postgres is coming up', coded('57P03')],
  ['40001, a serialisation failure', coded('40001')],
  ['40P01, a deadlock', coded('40P01')],
  ['23505, another writer was first', coded('23505')],
  ['ECONNREFUSED, nobody listens', coded('ECONNREFUSED')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['fetch failed', new TypeError('fetch failed', { cause: coded('ECONNRESET') })],
])('%s is tried again', async (_, thrown) => {
  expect(await failureOf(thrown)).toMatchObject({ nonRetryable: false });
});

test('neither says in whose words', async () => {
  const failure = await failureOf(coded('53100'));
  expect(failure.message).toBe('judgeVerdict: Error 53100');
  expect(`${failure.stack}`).not.toContain('its words');
});

function illegalTransition(): unknown {
  try {
    assertTransition('hypothesis', 'duplicate', 'draft');
  } catch (error) {
    return error;
  }
  return null;
}
