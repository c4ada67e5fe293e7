import type { EnvironmentId } from '@clarion/contracts/core';
import type { FailureKind, SendResult, SendSuccess } from '@clarion/providers';
import { ACCOUNT_WAIT_MS, type ClaimedStep } from '@clarion/persistence';
import { Metrics } from '@clarion/platform';
import type { ChannelStrategy, Delivery, ReadyStep } from './channel';
import { CircuitBreaker } from '../accounts/circuit-breaker';
import type { Account } from '../accounts/integration-directory';
import { until } from '@clarion/testing';
import { CallPermits } from '../accounts/call-permits';
import type { DeadToken } from '../ports';
import { Sender, type SendPermission } from './sender';
import type { StepResult } from '../pipeline/step-result';

const OK: SendSuccess = { ok: true, id: 'taken' };
const failure = (kind: FailureKind, more: object = {}): SendResult => ({
  ok: false,
  kind,
  message: `${kind} trouble`,
  ...more,
});

const GRANTED: SendPermission = { mark: () => Promise.resolve(true), begin: () => true, canWait: () => true };

describe('Sender', () => {
  let now: number;
  let removed: DeadToken[];
  let sender: Sender;
  let metrics: Metrics;
  /** The accounts that waited for their limit, with the limit. */
  let waited: string[];
  let warned: object[];
  /** Lets time pass while a message waits for the limit. */
  let ratesTake: () => void;

  beforeEach(() => {
    ratesTake = () => undefined;
    now = Date.parse('2026-01-01T00:00:00.000Z');
    removed = [];
    waited = [];
    warned = [];
    metrics = new Metrics();
    sender = new Sender({
      permits: new CallPermits(2, 2, () => now),
      rates: {
        enter: (id, perSecond) => {
          ratesTake();
          return Promise.resolve(void waited.push(`${id} ${perSecond}`));
        },
      },
      tokens: { remove: (token) => Promise.resolve(void removed.push(token)) },
      random: () => 0.5,
      now: () => now,
      metrics,
      log: { warn: (fields, text) => void warned.push({ ...fields, text }), info: () => undefined },
    });
  });

  const strategy = { channel: 'email', errorId: 'mail_unexpected_error' } as ChannelStrategy;
  const account = (id: string, providerId = 'sendgrid', inDoubt?: 'hold'): Account =>
    ({
      id,
      providerId,
      identifier: id,
      name: id,
      configurations: { ...(inDoubt && { inDoubt }) },
      breaker: new CircuitBreaker(
        () => now,
        () => undefined,
      ),
      pause: { holdId: null },
    }) as unknown as Account;
  const step = (more: Partial<ClaimedStep> = {}): ClaimedStep =>
    ({
      id: 'step',
      lane: 2,
      attempt: 1,
      inDoubt: false,
      integrationId: null,
      error: null,
      hasReleased: false,
      notedLimits: {},
      ageMs: 0,
      claimedAt: performance.now(),
      ttl: null,
      ...more,
    }) as ClaimedStep;
  /** Gives the answers in order, and notes each account that is called. */
  const delivery = (accounts: Account[], answers: SendResult[], more: Partial<Delivery> = {}) => {
    const asked: string[] = [];
    const made: Delivery = {
      messageId: 'message',
      row: { channel: 'email', content: 'x' },
      accounts,
      send: ({ id }) => {
        asked.push(id);
        return Promise.resolve(answers.shift()!);
      },
      ...more,
    };
    return { made, asked };
  };
  const send = async (
    claimed: ClaimedStep,
    deliveries: Delivery[],
    mark: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<StepResult> =>
    (await sender.send({ step: claimed, deliveries, strategy, permission: { ...GRANTED, mark } }))!;
  const linesOf = ({ lines }: StepResult) =>
    lines.map(({ status, detail, isRetry }) => `${status}: ${detail}${isRetry ? ' (retry)' : ''}`);

  it('records the selected provider, the created message and the sent message', async () => {
    const a = account('a');
    const result = await send(step(), [delivery([a], [OK]).made]);
    expect(result).toMatchObject({ state: 'completed', account: a });
    expect(result.messages).toMatchObject([
      { id: 'message', status: 'sent', providerMessageId: 'taken', integrationId: 'a' },
    ]);
    expect(linesOf(result)).toEqual([
      'Pending: SendGrid provider was selected',
      'Pending: Message created',
      'Success: Message sent',
    ]);
  });

  it('waits for the limit of the account after the mark, and holds few messages of such an account', async () => {
    const limited = { ...account('a'), configurations: { rateLimit: 8 } };
    const { made } = delivery([limited], [OK]);
    const email = step({ type: 'email' });
    expect(await send(email, [made], () => Promise.resolve(waited.push('marked') > 0))).toMatchObject({
      state: 'completed',
    });
    expect(waited).toEqual(['marked', 'a 8']);
    expect(await metrics.expose()).toContain('clarion_stage_seconds_count{stage="rate_limit",channel="email"} 1');
    // Two seconds of the limit, and half of them for messages that were tried before.
    const held = Array.from({ length: 16 }, () => {
      const waits = delivery([limited], [], { send: () => new Promise(() => undefined) });
      void sender.send({ step: step(), deliveries: [waits.made], strategy, permission: GRANTED });
      return sender.comeBack(step({ attempt: 2 }), [limited]) === undefined;
    });
    expect(held.filter(Boolean)).toHaveLength(7);
    expect(sender.comeBack(step(), [limited])).toEqual({
      waitMs: 1_000,
      limit: { limit: 'rate_limit', figure: 8, integrationId: 'a', integration: 'a' },
    });
    expect(sender.comeBack(step(), [account('b')])).toBeUndefined();
    // A message whose turn has come finds a place beside them.
    const released = step({ notedLimits: { rate_limit: true } });
    expect(sender.comeBack(released, [limited], 15)).toBeUndefined();
    expect(sender.comeBack(released, [limited], 16)).toBeDefined();
  });

  it.each([
    [1, 4],
    [4, 16],
    [5, 16],
    [100, 200],
  ])('has places for a few seconds of a limit of %i messages a second: %i', (rateLimit, places) => {
    const limited = { ...account('a'), configurations: { rateLimit } };
    expect(sender.comeBack(step(), [limited], places - 1)).toBeUndefined();
    expect(sender.comeBack(step(), [limited], places)).toBeDefined();
  });

  it('lets the steps of a batch come back for which there is no place, before they are rendered', () => {
    const of = (channel: string, rateLimit: number): Account =>
      ({ ...account(`${channel} ${rateLimit}`), channel, configurations: { rateLimit } }) as Account;
    const many = (one: Account, count: number) =>
      Array.from({ length: count }, () => ({ item: { step: step() }, accounts: [one] }) as unknown as ReadyStep);
    const back: unknown[] = [];
    const placed = sender.placed(
      [...many(of('email', 1), 6), ...many(of('sms', 2), 9), ...many(of('email', 0), 9), ...many(of('chat', 1), 9)],
      (_, { limit }) => back.push(limit?.limit === 'rate_limit' && limit.integrationId),
    );
    expect(placed.map(({ accounts: [one] }) => one!.id)).toEqual([
      ...Array<string>(4).fill('email 1'),
      ...Array<string>(8).fill('sms 2'),
      ...Array<string>(9).fill('email 0'),
      ...Array<string>(9).fill('chat 1'),
    ]);
    expect(back).toEqual(['email 1', 'email 1', 'sms 2']);
  });

  it('records a wait of a second or longer for the limit of the account, unless the step came back for it', async () => {
    const limited = { ...account('a'), configurations: { rateLimit: 8 } };
    const clock = jest.spyOn(performance, 'now');
    let time = 0;
    clock.mockImplementation(() => time);
    const sendAfter = async (waitMs: number, claimed: ClaimedStep): Promise<string[]> => {
      ratesTake = () => void (time += waitMs);
      return linesOf(await send(claimed, [delivery([limited], [OK]).made])).slice(0, -3);
    };
    const noted = 'Pending: Step waited 1.3 s: integration "a" sends at most 8 messages a second';
    try {
      expect(await sendAfter(999, step({ type: 'email' }))).toEqual([]);
      expect(await sendAfter(1_250, step({ type: 'email' }))).toEqual([noted]);
      expect(await metrics.expose()).toContain('clarion_limit_waits_total{limit="rate_limit",channel="email"} 1');
      const notedLimits = { rate_limit: true } as const;
      expect(await sendAfter(5_000, step({ type: 'email', notedLimits }))).toEqual([]);
    } finally {
      clock.mockRestore();
    }
  });

  it('keeps the words of a provider about marked payload fields out of the health of the account', async () => {
    const healthAfter = async (isSensitive: boolean, result: SendResult): Promise<(string | undefined)[]> => {
      const reasons: (string | undefined)[] = [];
      const a = account('a');
      a.breaker = new CircuitBreaker(
        () => now,
        (health) => void reasons.push(health?.reason),
      );
      for (let at = 0; at < 20; at += 1) await send(step({ isSensitive }), [delivery([a], [result]).made]);
      return [...new Set(reasons)];
    };
    const failures = [failure('transient', { status: 503 }), failure('rate-limited', { retryAfterMs: 60_000 })];
    const reasonsOf = (isSensitive: boolean) => Promise.all(failures.map((result) => healthAfter(isSensitive, result)));
    expect(await reasonsOf(false)).toEqual([['transient trouble'], ['rate-limited trouble']]);
    expect(await reasonsOf(true)).toEqual([['transient, status 503'], ['rate-limited']]);
  });

  it('gives the messages of each account separate lines', async () => {
    const a = account('a');
    const messages = ['one', 'two'].map((messageId) =>
      delivery([a], [{ ...OK, id: `at ${messageId}` }], { messageId }),
    );
    const { lines } = await send(
      step(),
      messages.map(({ made }) => made),
    );
    expect(lines.map(({ messageId, providerId }) => [messageId, providerId])).toEqual(
      ['one', 'one', 'one', 'two', 'two', 'two'].map((messageId) => [messageId, 'sendgrid']),
    );
    const selected = { providerId: 'sendgrid', identifier: 'a', name: 'a', integrationId: 'a' };
    expect([lines[0], lines[3]].map((line) => JSON.parse(line!.raw as string) as object)).toEqual([selected, selected]);
    expect([lines[2]!.raw, lines[5]!.raw]).toEqual([{ id: 'at one' }, { id: 'at two' }]);
  });

  describe('a time to live', () => {
    const EXPIRED = 'Warning: Message was not sent: its time to live of 60 seconds has ended';
    const late = (more: Partial<ClaimedStep> = {}) => step({ ttl: 60, ageMs: 60_001, ...more });

    it('skips a message that has expired, and calls no provider', async () => {
      const { made, asked } = delivery([account('a')], []);
      const result = await send(late(), [made]);
      expect(asked).toEqual([]);
      expect(result).toMatchObject({ state: 'skipped', messages: [{ status: 'warning', errorId: 'message_expired' }] });
      expect(linesOf(result)).toEqual([EXPIRED]);
    });

    it('skips a message that expires while it waits for its mark', async () => {
      const { made, asked } = delivery([account('a')], []);
      const claimed = step({ ttl: 60, ageMs: 59_000 });
      const result = await send(claimed, [made], () => {
        claimed.ageMs = 61_000;
        return Promise.resolve(true);
      });
      expect(asked).toEqual([]);
      expect(result.state).toBe('skipped');
    });

    it('fails a message at once if the next attempt would come too late', async () => {
      const { made } = delivery([account('a')], [failure('transient')]);
      const result = await send(step({ ttl: 60, ageMs: 59_000 }), [made]);
      expect(result).toMatchObject({ state: 'failed', messages: [{ status: 'error' }] });
      expect(linesOf(result).at(-1)).toBe(
        'Failed: Message is not sent again: its time to live of 60 seconds ends before the next attempt',
      );
      const retried = await send(step({ ttl: 600, ageMs: 59_000 }), [
        delivery([account('b')], [failure('transient')]).made,
      ]);
      expect(retried.state).toBe('queued');
    });

    it('skips a message at once if no account is available before it expires', async () => {
      const a = account('a');
      a.breaker.pause(60_000, 'slow down');
      expect((await send(step({ ttl: 60, ageMs: 30_000 }), [delivery([a], []).made])).state).toBe('skipped');
      const waits = await send(step({ ttl: 600, ageMs: 30_000 }), [delivery([a], []).made]);
      const until = new Date(now + 60_000).toISOString();
      // It comes back in time to be recorded as expired, if the account stays away.
      expect(waits.waitMs).toBeLessThanOrEqual(570_000);
      expect(waits.waitMs).toBeGreaterThan(60_000);
      expect(waits).toMatchObject({
        state: 'queued',
        waitsFor: 'a',
        error: {
          message: `The integration "a" cannot be called: paused by the provider until ${until}: slow down`,
          notCalled: true,
        },
      });
    });

    it('completes a step of which another message was sent before', async () => {
      const error = { retry: ['message'], sent: 1 };
      const result = await send(late({ error }), [delivery([account('a')], []).made]);
      expect(result.state).toBe('completed');
      expect(linesOf(result)).toEqual([EXPIRED]);
    });

    it('holds a message that is in doubt and has expired', async () => {
      const { made, asked } = delivery([account('a')], []);
      const result = await send(late({ inDoubt: true }), [made]);
      expect(asked).toEqual([]);
      expect(result).toMatchObject({ state: 'failed', messages: [{ errorId: 'in_doubt' }] });
      expect(linesOf(result)[0]).toBe(EXPIRED);
    });
  });

  it('records each warning of the provider, with its text in raw', async () => {
    const warnings = ['SendGrid ignored the override `ipPool`', 'SendGrid takes no cc'];
    const result = await send(step(), [delivery([account('a')], [{ ...OK, warnings }]).made]);
    const detail = 'The provider accepted the message with a warning';
    expect(result.lines.slice(-2)).toMatchObject(warnings.map((raw) => ({ status: 'Warning', detail, raw })));
  });

  it('does not record the selected provider again in a later attempt', async () => {
    const result = await send(step({ attempt: 2, integrationId: 'a' }), [delivery([account('a')], [OK]).made]);
    expect(linesOf(result)).toEqual(['Success: Message sent']);
  });

  it('calls no provider when the step cannot be marked, and leaves the probe to the next step', async () => {
    const a = account('a');
    a.breaker.adopt({ state: 'open', since: '', until: new Date(now - 1).toISOString() });
    const { made, asked } = delivery([a], [OK]);
    const permission = { ...GRANTED, mark: () => Promise.resolve(false) };
    expect(await sender.send({ step: step(), deliveries: [made], strategy, permission })).toBeUndefined();
    expect(asked).toEqual([]);
    expect(a.breaker.enter()).toMatchObject({ allowed: true });
  });

  it('calls no provider when permission is refused right before the call', async () => {
    const { made, asked } = delivery([account('a')], [OK]);
    const permission = { ...GRANTED, begin: () => false };
    expect(await sender.send({ step: step(), deliveries: [made], strategy, permission })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  describe('after a failure that may pass', () => {
    it('retries a transient failure by the plan, on the same account', async () => {
      const { made, asked } = delivery([account('a'), account('b')], [failure('transient')]);
      const result = await send(step(), [made]);
      expect(result).toMatchObject({ state: 'queued', waitMs: 5_000, error: { retry: ['message'], sent: 0 } });
      expect(result.attempt).toBeUndefined();
      expect(asked).toEqual(['a']);
    });

    it('fails over to the next account after the second transient failure', async () => {
      const { made, asked } = delivery([account('a'), account('b', 'resend')], [failure('transient'), OK]);
      const result = await send(step({ attempt: 2, integrationId: 'a' }), [made]);
      expect(asked).toEqual(['a', 'b']);
      expect(linesOf(result)).toEqual([
        'Warning: Unexpected provider error',
        'Pending: Resend provider was selected (retry)',
        'Success: Message sent',
      ]);
    });

    it('gives each account two attempts before it fails over', async () => {
      const { made, asked } = delivery([account('a'), account('b'), account('c')], [failure('transient')]);
      const result = await send(step({ attempt: 3, integrationId: 'b' }), [
        { ...made, send: (one) => made.send(one).then((answer) => answer ?? OK) },
      ]);
      expect(asked).toEqual(['b', 'c']);
      expect(result.account!.id).toBe('c');
      const first = delivery([account('a'), account('b'), account('c')], [failure('transient'), failure('transient')]);
      const second = await send(step({ attempt: 2, integrationId: 'a' }), [first.made]);
      expect(first.asked).toEqual(['a', 'b']);
      expect(second).toMatchObject({ state: 'queued' });
      expect(second.account!.id).toBe('b');
    });

    it('counts the attempt when the breaker of the next account is open', async () => {
      const b = account('b', 'resend');
      b.breaker.adopt({ state: 'open', since: '', until: new Date(now + 60_000).toISOString() });
      const { made } = delivery([account('a'), b], [failure('transient')]);
      const result = await send(step({ attempt: 2, integrationId: 'a' }), [made]);
      expect(result).toMatchObject({ state: 'queued', waitMs: 30_000 });
      expect(result.attempt).toBeUndefined();
      expect(linesOf(result)).toEqual([
        'Warning: Resend is not available at the moment',
        'Warning: Unexpected provider error',
      ]);
    });

    it('fails the step when the last attempt of the plan fails', async () => {
      const result = await send(step({ attempt: 8, integrationId: 'a' }), [
        delivery([account('a')], [failure('transient')]).made,
      ]);
      expect(result).toMatchObject({ state: 'failed', error: { message: 'transient trouble' } });
      expect(result.messages).toMatchObject([
        { status: 'error', errorId: 'mail_unexpected_error', errorText: 'transient trouble' },
      ]);
      expect(linesOf(result)).toEqual(['Failed: Unexpected provider error']);
    });

    it('waits as long as the provider asks, does not count the attempt, and pauses the account', async () => {
      const a = account('a');
      const { made } = delivery([a, account('b')], [failure('transient', { retryAfterMs: 10_000 })]);
      const result = await send(step({ attempt: 4, integrationId: 'a' }), [made]);
      expect(result).toMatchObject({ state: 'queued', attempt: 3 });
      expect(result.waitMs).toBeGreaterThanOrEqual(10_000);
      expect(result.waitMs).toBeLessThanOrEqual(12_000);
      expect(a.breaker.enter()).toMatchObject({ allowed: false, until: now + 10_000 });
    });

    it('does not pause the account when the address of one subscriber asks for a pause', async () => {
      const a = account('a');
      const busy = failure('rate-limited', { retryAfterMs: 10_000 });
      const result = await send(step(), [delivery([a], [busy], { ownAddress: true }).made]);
      expect(result).toMatchObject({ state: 'queued', attempt: 0 });
      expect(result.waitMs).toBeGreaterThanOrEqual(10_000);
      expect(a.breaker.enter()).toMatchObject({ allowed: true });
    });
  });

  it('retries on the same account after an unknown outcome', async () => {
    const { made, asked } = delivery([account('a'), account('b')], [failure('unknown-outcome')]);
    expect(await send(step({ attempt: 3, integrationId: 'a' }), [made])).toMatchObject({
      state: 'queued',
      waitMs: 120_000,
    });
    expect(asked).toEqual(['a']);
  });

  it('fails the step at once after a permanent failure', async () => {
    const { made, asked } = delivery([account('a'), account('b')], [failure('permanent')]);
    expect(await send(step(), [made])).toMatchObject({ state: 'failed' });
    expect(asked).toEqual(['a']);
  });

  it('fails over at once when the account is rejected, and tries the last account again', async () => {
    const { made, asked } = delivery([account('a'), account('b')], [failure('credentials'), failure('credentials')]);
    expect(await send(step(), [made])).toMatchObject({ state: 'queued', waitMs: 5_000 });
    expect(asked).toEqual(['a', 'b']);
  });

  it.each(['credentials', 'quota'] as const)('keeps messages of an account that is rejected: %s', async (kind) => {
    const a = account('a');
    const rejected = () => delivery([a], [failure(kind)]).made;
    for (const attempt of [1, 2])
      expect(await send(step({ attempt }), [rejected()])).toMatchObject({ state: 'queued' });
    // The third opens the breaker. From then on no attempt counts.
    const waits = { state: 'queued', waitMs: 35_000, attempt: 2 };
    expect(await send(step({ attempt: 3 }), [rejected()])).toMatchObject(waits);
    const behind = await send(step({ attempt: 3 }), [delivery([a], [OK]).made]);
    expect(behind).toMatchObject({ ...waits, waitMs: ACCOUNT_WAIT_MS, waitsFor: 'a' });
    now += 30_000;
    expect(await send(step({ attempt: 3 }), [rejected()])).toMatchObject(waits);
    now += 30_000;
    expect(await send(step({ attempt: 3 }), [delivery([a], [OK]).made])).toMatchObject({ state: 'completed' });
  });

  it('keeps a message whose earlier attempts other workers made', async () => {
    const rejected = delivery([account('a')], [failure('credentials')]).made;
    expect(await send(step({ attempt: 3 }), [rejected])).toMatchObject({ state: 'queued', waitMs: 35_000 });
  });

  it('lets another message be the probe, and fails the rejected one if that was sent', async () => {
    const a = account('a');
    const rejected = () => delivery([a], [failure('credentials')]).made;
    const { waitMs } = (await send(step({ attempt: 3 }), [rejected()]))!;
    now += 30_000;
    expect(waitMs).toBeGreaterThan(30_000);
    expect(await send(step(), [delivery([a], [OK]).made])).toMatchObject({ state: 'completed' });
    expect(await send(step({ attempt: 3 }), [rejected()])).toMatchObject({ state: 'failed' });
  });

  it('fails a message for which the account is rejected while it sends others', async () => {
    const a = account('a');
    await send(step(), [delivery([a], [OK]).made]);
    const rejected = () => delivery([a], [failure('credentials')]).made;
    expect(await send(step({ attempt: 3 }), [rejected()])).toMatchObject({ state: 'failed' });
  });

  it('fails at once when the address of the subscriber is rejected', async () => {
    const { made } = delivery([account('a')], [failure('credentials')], { ownAddress: true });
    expect(await send(step(), [made])).toMatchObject({ state: 'failed' });
  });

  it('waits for the only account while its breaker is open, and does not count the attempt', async () => {
    const a = account('a');
    a.breaker.adopt({ state: 'open', since: '', until: new Date(now + 7_000).toISOString() });
    const { made, asked } = delivery([a], [OK]);
    const result = await send(step(), [made]);
    expect(result).toMatchObject({ state: 'queued', waitMs: ACCOUNT_WAIT_MS, waitsFor: 'a', attempt: 0 });
    expect(result.account).toBeUndefined();
    expect(asked).toEqual([]);
  });

  describe('a step in doubt', () => {
    it('sends a message in doubt again and records that', async () => {
      const result = await send(step({ attempt: 2, inDoubt: true }), [delivery([account('a')], [OK]).made]);
      expect(result.state).toBe('completed');
      expect(linesOf(result)).toEqual([
        'Warning: Sending was interrupted, the message is sent again (retry)',
        'Pending: SendGrid provider was selected',
        'Pending: Message created',
        'Success: Message sent',
      ]);
      expect(warned).toMatchObject([{ text: 'Sending was interrupted, the message is sent again' }]);
    });

    it('holds a message in doubt when its integration has the policy hold', async () => {
      const { made, asked } = delivery([account('a'), account('b', 'resend', 'hold')], []);
      const result = await send(step({ attempt: 2, inDoubt: true, integrationId: 'b' }), [made]);
      expect(result).toMatchObject({ state: 'failed', messages: [{ status: 'warning', errorId: 'in_doubt' }] });
      expect(linesOf(result)).toEqual(['Warning: Sending was interrupted, the message is held (retry)']);
      expect(warned).toMatchObject([{ text: 'Sending was interrupted, the message is held' }]);
      expect(asked).toEqual([]);
    });
  });

  describe('several messages of one step', () => {
    const several = { ...strategy, channel: 'push', allFailed: 'allPushesFailed' } as ChannelStrategy;
    const to = (messageId: string, answer: SendResult, more: Partial<Delivery> = {}) =>
      delivery([account('a', 'expo')], [answer], { messageId, ...more });
    const sendAll = async (claimed: ClaimedStep, deliveries: { made: Delivery }[]) =>
      (await sender.send({
        step: claimed,
        deliveries: deliveries.map(({ made }) => made),
        strategy: several,
        permission: GRANTED,
      }))!;

    it('completes a step when one of its messages was sent', async () => {
      const result = await sendAll(step(), [to('one', failure('permanent')), to('two', OK)]);
      expect(result.state).toBe('completed');
      expect(result.messages.map(({ id, status }) => [id, status])).toEqual([
        ['one', 'error'],
        ['two', 'sent'],
      ]);
    });

    it('fails a step when none of its messages was sent', async () => {
      const result = await sendAll(step(), [to('one', failure('permanent')), to('two', failure('permanent'))]);
      expect(result.state).toBe('failed');
      expect(linesOf(result).at(-1)).toBe(
        'Failed: There was one or more errors when trying to execute the notification',
      );
    });

    it('retries only the messages of a step that were not sent', async () => {
      const first = await sendAll(step(), [to('one', failure('transient')), to('two', OK)]);
      expect(first).toMatchObject({ state: 'queued', error: { retry: ['one'], sent: 1 } });
      const one = to('one', failure('permanent'));
      const two = to('two', OK);
      const second = await sendAll(step({ attempt: 2, integrationId: 'a', error: first.error! }), [one, two]);
      expect([one.asked, two.asked]).toEqual([['a'], []]);
      expect(second.state).toBe('completed');
    });

    it('removes the token of a device that the provider reports as dead', async () => {
      const token = { environmentId: 'e' as EnvironmentId, channelId: 'c', token: 'ExponentPushToken[123456]' };
      const result = await sendAll(step(), [to('one', failure('dead-token'), { token }), to('two', OK)]);
      expect(removed).toEqual([token]);
      expect(linesOf(result)).toContain('Success: Invalid push device token was removed from subscriber');
      expect(JSON.stringify(result.lines)).not.toContain(token.token);
    });

    it('keeps device tokens when the provider reports most of them as dead', async () => {
      const gone = (at: number) => {
        const token = { environmentId: 'e' as EnvironmentId, channelId: 'c', token: `ExponentPushToken[${at}]` };
        return to(`m${at}`, failure('dead-token'), { token });
      };
      for (let at = 0; at < 30; at += 1) await sendAll(step(), [gone(at)]);
      expect(removed).toHaveLength(19);
      expect(linesOf(await sendAll(step(), [gone(30)]))).toContain('Warning: Invalid push device token was kept');
    });
  });

  it('does not send past an account on hold: the next attempt begins with it', async () => {
    const [a, b, c] = [account('a'), account('b'), account('c')];
    b.pause.holdId = 'hold';
    const { made, asked } = delivery([a, b, c], [failure('credentials')]);
    const result = await send(step(), [made]);
    expect(result).toMatchObject({ state: 'queued', account: b, attempt: 0, waitMs: 1_000 });
    expect(asked).toEqual(['a']);
  });

  it('sends nothing when the account is put on hold while the message waits for it', async () => {
    const a = account('a');
    const { made, asked } = delivery([a], [OK]);
    const sending = send(step(), [made]);
    a.pause.holdId = 'hold';
    expect(await sending).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('calls no account that became unavailable while the message waited for its call, but the next one', async () => {
    const [a, b] = [account('a'), account('b')];
    const answers: ((result: SendResult) => void)[] = [];
    const asked: string[] = [];
    let isFull = (): void => undefined;
    const full = new Promise<void>((resolve) => (isFull = resolve));
    const made = {
      ...delivery([a, b], []).made,
      send: ({ id }: Account) => {
        asked.push(id);
        if (asked.length === 2) isFull();
        return id === 'b' ? Promise.resolve(OK) : new Promise<SendResult>((resolve) => answers.push(resolve));
      },
    };
    const alone = { ...made, accounts: [a] };
    // Two calls are in flight, and the others wait for one of them.
    const sending = [alone, alone, made, alone].map((one) => send(step(), [one]));
    await full;
    a.breaker.pause(30_000, 'slow down');
    for (const answer of answers) answer(OK);
    expect((await Promise.all(sending)).map(({ state, waitsFor }) => [state, waitsFor])).toEqual([
      ['completed', undefined],
      ['completed', undefined],
      ['completed', undefined],
      ['queued', 'a'],
    ]);
    expect(asked).toEqual(['a', 'a', 'b']);
  });

  it('lets a step come back when too many others wait for an account', async () => {
    const a = account('a');
    const hanging = { ...delivery([a], []).made, send: () => new Promise<SendResult>(() => undefined) };
    expect(sender.comeBack(step(), [a])).toBeUndefined();
    // Sixteen are staged, two of them in flight, and two wait to be staged.
    for (let at = 0; at < 18; at += 1) void send(step(), [hanging]);
    expect(sender.comeBack(step(), [a])).toEqual({ waitMs: 1_000 });
    expect(sender.comeBack(step(), [account('b')])).toBeUndefined();
    // A step whose last worker crashed does not come back later once more.
    expect(sender.comeBack(step({ crashCount: 2 }), [a])).toBeUndefined();
  });

  it.each([
    [8_000, 4_000],
    [90_000, 10_000],
  ])('lets it come back after half of the %i ms that others have waited: %i ms', async (waitedMs, waitMs) => {
    const a = account('a');
    const ends: (() => void)[] = [];
    const slow = {
      ...delivery([a], []).made,
      send: () => new Promise<SendResult>((resolve) => ends.push(() => resolve({ ok: true }))),
    };
    for (let at = 0; at < 18; at += 1) void send(step(), [slow]);
    await until(() => ends.length === 2);
    now += waitedMs;
    ends[0]!();
    await until(() => sender.comeBack(step(), [a]) === undefined);
    void send(step(), [slow]);
    expect(sender.comeBack(step(), [a])).toEqual({ waitMs });
  });
});
