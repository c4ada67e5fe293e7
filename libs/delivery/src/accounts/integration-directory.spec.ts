import type { EnvironmentId, IntegrationHealth } from '@clarion/contracts';
import type { SendingSettings } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import type { StoredIntegration } from '../ports';
import { type Account, IntegrationDirectory } from './integration-directory';

describe('IntegrationDirectory', () => {
  let rows: StoredIntegration[];
  let listing: Promise<StoredIntegration[]> | undefined;
  let reads: string[];
  let written: (IntegrationHealth | null)[];
  let failure: Error | undefined;
  let errors: unknown[];
  let held: { integrationId: string; holdId: string }[];
  let holding: Promise<typeof held> | undefined;
  let settings: SendingSettings;
  let changes: string[];
  let directory: IntegrationDirectory;
  let now: number;

  const row = (id: string, more: Partial<StoredIntegration> = {}): StoredIntegration =>
    ({
      id,
      environmentId: 'e',
      identifier: id,
      name: id,
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      primary: false,
      priority: 1,
      conditions: [],
      credentials: {},
      configurations: {},
      health: null,
      ...more,
    }) as unknown as StoredIntegration;

  beforeEach(() => {
    rows = [row('mail'), row('text', { channel: 'sms', providerId: 'twilio' })];
    listing = undefined;
    reads = [];
    written = [];
    errors = [];
    held = [];
    holding = undefined;
    failure = undefined;
    now = Date.parse('2026-01-01T00:00:00.000Z');
    settings = {
      kind: 'production',
      sandboxEmail: null,
      sandboxPhone: null,
      withoutIntegration: 'fail',
      trackOpens: false,
      trackClicks: false,
      oneClickUnsubscribe: true,
    };
    changes = [];
    directory = new IntegrationDirectory(
      {
        listActive: (environmentId) => {
          reads.push(environmentId);
          return listing ?? Promise.resolve(rows);
        },
        setHealth: (_environmentId, _id, health) => {
          written.push(health);
          return failure ? Promise.reject(failure) : Promise.resolve();
        },
        sendingSettings: () => Promise.resolve(settings),
        heldIntegrations: () => holding ?? Promise.resolve(held),
      },
      new SecretBox(SecretBox.generateKey()),
      () => now,
      (error) => void errors.push(error),
      ({ opened, integrationId, reason }) =>
        void changes.push(`${integrationId} ${opened ? 'open' : 'closed'} ${reason}`),
    );
  });

  const load = (settingsStamp: string, environmentId = 'e') =>
    directory.load([{ environmentId: environmentId as EnvironmentId, settingsStamp }]);
  const open = () => {
    const { breaker } = directory.accounts('e' as EnvironmentId, 'email')[0]!;
    for (let call = 0; call < 20; call += 1) {
      breaker.enter();
      breaker.leave('failed', 'busy');
    }
    return breaker;
  };

  it('reads the integrations of an environment once, until its stamp changes', async () => {
    await load('1');
    await load('1');
    expect(reads).toEqual(['e']);
    await load('2');
    await load('1', 'other');
    expect(reads).toEqual(['e', 'e', 'other']);
  });

  it('keeps what was read last when an earlier read is answered later', async () => {
    let answer: (stored: StoredIntegration[]) => void = () => undefined;
    listing = new Promise((resolve) => (answer = resolve));
    const slow = load('1');
    listing = undefined;
    settings = { ...settings, kind: 'sandbox' };
    await load('2');
    answer(rows);
    await slow;
    expect(directory.accounts('e' as EnvironmentId, 'email')[0]).toMatchObject({ id: 'mail', sandbox: {} });
  });

  it('returns the accounts of a channel, and none for an environment that it has not read', async () => {
    await load('1');
    expect(directory.accounts('e' as EnvironmentId, 'email').map(({ id }) => id)).toEqual(['mail']);
    expect(directory.accounts('e' as EnvironmentId, 'sms').map(({ id }) => id)).toEqual(['text']);
    expect(directory.accounts('other' as EnvironmentId, 'email')).toEqual([]);
  });

  it('keeps the breaker when an integration changes, and stores the health that the breaker reports', async () => {
    await load('1');
    const breaker = open();
    expect(written).toMatchObject([{ state: 'open', reason: 'busy' }]);
    rows = [row('mail', { name: 'renamed', health: written[0]! })];
    await load('2');
    expect(directory.accounts('e' as EnvironmentId, 'email')[0]!.breaker).toBe(breaker);
    expect(breaker.enter()).toMatchObject({ allowed: false });
  });

  it('takes over a health that another worker stored or an operator reset', async () => {
    await load('1');
    const { breaker } = directory.accounts('e' as EnvironmentId, 'email')[0]!;
    const health: IntegrationHealth = {
      state: 'open',
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T00:01:00.000Z',
    };
    rows = [row('mail', { health })];
    await load('2');
    expect(breaker.enter()).toMatchObject({ allowed: false });
    rows = [row('mail')];
    await load('3');
    expect(breaker.enter()).toMatchObject({ allowed: true });
    expect(written).toEqual([]);
  });

  it('shows a hold to messages that already wait for the account, and its end', async () => {
    await load('1');
    const { pause } = directory.accounts('e' as EnvironmentId, 'email')[0]!;
    held = [{ integrationId: 'mail', holdId: 'hold' }];
    await directory.readHolds();
    expect(pause).toEqual({ holdId: 'hold' });
    expect(directory.accounts('e' as EnvironmentId, 'sms')[0]!.pause).toEqual({ holdId: null });
    await load('2');
    expect(pause).toEqual({ holdId: null });
  });

  it('keeps a hold that was loaded while an earlier read of the holds was on its way', async () => {
    let answer: (holds: typeof held) => void = () => undefined;
    holding = new Promise((resolve) => (answer = resolve));
    const reads = [directory.readHolds()];
    rows = [row('mail', { holdId: 'first' })];
    await load('1');
    const { pause } = directory.accounts('e' as EnvironmentId, 'email')[0]!;
    reads.push(directory.readHolds());
    rows = [row('mail', { holdId: 'second' })];
    await load('2');
    answer([]);
    await Promise.all(reads);
    expect(pause).toEqual({ holdId: 'second' });
  });

  it('starts a breaker with the stored health', async () => {
    const health: IntegrationHealth = {
      state: 'open',
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T00:01:00.000Z',
    };
    rows = [row('mail', { health })];
    await load('1');
    expect(directory.accounts('e' as EnvironmentId, 'email')[0]!.breaker.enter()).toMatchObject({ allowed: false });
  });

  it('reports a health that could not be stored, and the breaker works on', async () => {
    failure = new Error('no database');
    await load('1');
    const breaker = open();
    await new Promise(setImmediate);
    expect(errors).toEqual([failure]);
    expect(breaker.enter()).toMatchObject({ allowed: false });
  });

  it('tells once that a breaker opened, and once that it closed', async () => {
    await load('1');
    const [{ breaker }] = directory.accounts('e' as EnvironmentId, 'email') as [Account];
    const fail = () => {
      breaker.enter();
      breaker.leave('failed', 'down');
    };
    for (let call = 0; call < 40; call += 1) fail();
    expect(changes).toEqual(['mail open down']);
    now += 31_000;
    fail();
    expect(changes).toHaveLength(1);
    now += 31_000;
    breaker.enter();
    breaker.leave('well');
    expect(changes).toEqual(['mail open down', 'mail closed undefined']);
    breaker.pause(1_000, 'slow down');
    expect(changes).toHaveLength(2);
  });

  it('knows whether steps of a channel without an integration wait', async () => {
    const environmentId = 'e' as EnvironmentId;
    await load('1');
    expect(directory.holdsWithoutIntegration(environmentId)).toBe(false);
    settings = { ...settings, withoutIntegration: 'hold' };
    await load('2');
    expect(directory.holdsWithoutIntegration(environmentId)).toBe(true);
  });

  it('lets neither credentials nor health nor a limit of a provider decide that a sandbox does not call', async () => {
    const health: IntegrationHealth = { state: 'open', since: 'x', until: '2100-01-01T00:00:00.000Z' };
    rows = [row('mail', { health, credentials: { apiKey: 'v1.other.AAAA' } as never })];
    const account = async (stamp: string): Promise<Account> => {
      await load(stamp);
      return directory.accounts('e' as EnvironmentId, 'email')[0]!;
    };
    settings = { ...settings, kind: 'sandbox' };
    const stored = await account('sandbox');
    expect(stored).toMatchObject({ unreadable: [], health: null, sandbox: {}, configurations: { rateLimit: 0 } });
    expect(stored.breaker.enter()).toMatchObject({ allowed: true });
    settings = { ...settings, sandboxEmail: 'qa@x.test' };
    const redirected = await account('redirect');
    expect(redirected).toMatchObject({ unreadable: ['apiKey'], health, sandbox: { redirectTo: 'qa@x.test' } });
    expect(redirected.breaker.enter()).toMatchObject({ allowed: false });
  });
});
