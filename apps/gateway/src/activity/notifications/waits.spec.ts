import type { JobDto } from '@clarion/contracts';
import { withWaits } from './waits';

/** A job with details at these milliseconds. */
const job = (...details: [at: number, detail: string, raw?: object][]): JobDto =>
  ({
    _id: '1',
    status: 'completed',
    executionDetails: details.map(([at, detail, raw]) => ({
      createdAt: new Date(at).toISOString(),
      detail,
      source: 'Internal',
      raw: raw && JSON.stringify(raw),
    })),
  }) as JobDto;

const spansOf = (of: JobDto): [string, number, number][] =>
  withWaits([of], [], new Date(0).toISOString(), new Date(0))[0]!.spans!.map(({ kind, from, to }) => [
    kind,
    Date.parse(from),
    Date.parse(to),
  ]);

describe('withWaits', () => {
  it('takes the preparation of a first attempt out of its wait in the queue', () => {
    const selected = 'SendGrid provider was selected';
    expect(
      spansOf(job([0, 'Step queued'], [900, selected, { preparedMs: 300 }], [900, 'Message created'], [950, 'Sent'])),
    ).toEqual([
      ['queue', 0, 600],
      ['render', 600, 900],
      ['provider', 900, 950],
    ]);
  });

  it('divides a later attempt into wait, queue, preparation and call', () => {
    const retried = { nextTryInMs: 1_000 };
    expect(
      spansOf(job([0, 'Step queued'], [100, 'Failed', retried], [2_000, 'Sent', { preparedMs: 50, providerMs: 400 }])),
    ).toEqual([
      ['queue', 0, 100],
      ['retry', 100, 1_100],
      ['queue', 1_100, 1_550],
      ['render', 1_550, 1_600],
      ['provider', 1_600, 2_000],
    ]);
  });

  it('ends a wait early when the next attempt was made due', () => {
    const raw = { preparedMs: 10, providerMs: 90 };
    expect(spansOf(job([0, 'Failed', { nextTryInMs: 5_000 }], [200, 'Sent', raw]))).toEqual([
      ['retry', 0, 100],
      ['render', 100, 110],
      ['provider', 110, 200],
    ]);
  });
});
