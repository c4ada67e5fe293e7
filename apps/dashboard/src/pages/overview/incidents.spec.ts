import { openIncidents } from './incidents';
import type { ErrorGroup, Overview } from './queries';
import { bucketsOf, fittingRange, partsOf } from './series';

const MINUTE = 60_000;
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();

const group = (change: Partial<ErrorGroup>): ErrorGroup => ({
  errorGroup: 'g',
  reason: 'The mailbox is full',
  code: 'recipient',
  outcome: 'failed',
  providerId: 'sendgrid',
  channel: 'email',
  count: 3,
  people: 2,
  reachedOtherwise: 0,
  firstAt: ago(20),
  lastAt: ago(1),
  sampleNotificationId: 'n',
  isReplayed: false,
  recovered: 0,
  bars: { from: ago(60), until: ago(0), counts: [0, 3] },
  ...change,
});

const totals = { delivered: 6, failed: 4, skipped: 0, inFlight: 0, inDoubt: 0, failures: 4, recovered: 0 };

const overview: Overview = {
  after: '2026-01-01T00:00:00.000Z',
  before: '2026-01-02T00:00:00.000Z',
  bucketSeconds: 3_600,
  totals: { accepted: 10, ...totals },
  reconciles: true,
  difference: 0,
  channels: [
    {
      channel: 'email',
      totals: { accepted: 10, ...totals },
      difference: 0,
      backlog: { due: 0, delayed: 0, lagSeconds: 0, oldestDueAt: null } as Overview['channels'][number]['backlog'],
    },
  ],
  series: [
    {
      at: '2026-01-01T23:10:00.000Z',
      channel: 'email',
      accepted: 10,
      delivered: 6,
      failed: 2,
      skipped: 1,
      failures: 4,
      recovered: 2,
      held: 0,
      retrying: 1,
    },
  ],
  retrying: [],
};

describe('incidents of the overview', () => {
  it('joins the reasons of one provider, with the people and the share of the channel', () => {
    const [incident, ...others] = openIncidents([group({}), group({ reason: 'Unknown user', count: 1 })], overview);
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ steps: 4, people: 4, share: 0.4 });
  });

  it('closes one that was replayed, or after 15 minutes without a failure', () => {
    expect(openIncidents([group({ isReplayed: true }), group({ lastAt: ago(16) })], overview)).toEqual([]);
  });

  it('splits a piece of time into parts that add up, with what a replay recovered', () => {
    const bucket = bucketsOf(overview, '')[23]!;
    expect(bucket).toMatchObject({
      accepted: 10,
      failed: 2,
      recovered: 2,
      retrying: 1,
      open: 0,
      skipped: 1,
      delivered: 4,
    });
    expect(partsOf(overview, '')).toMatchObject({ failed: 2, recovered: 2, retrying: 1 });
    expect(partsOf(overview, 'sms')).toMatchObject({ failed: 0, recovered: 0, retrying: 0 });
  });

  it('chooses the shortest range that holds the data', () => {
    expect(fittingRange({}, overview)).toEqual({ range: 'hour' });
    expect(fittingRange({ range: 'hour' }, overview)).toBeUndefined();
    expect(fittingRange({ range: 'custom' }, overview)).toBeUndefined();
  });
});
