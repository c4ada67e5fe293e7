import type { StepFilterDto } from '@clarion/contracts';
import { type Candidate, orderCandidates } from './integrations';

const candidate = (id: string, more: Partial<Candidate> = {}): Candidate => ({
  id,
  identifier: `${id}-identifier`,
  providerId: 'sendgrid',
  channel: 'email',
  active: true,
  primary: false,
  priority: 1,
  conditions: [],
  ...more,
});

const when = (value: string): StepFilterDto[] => [
  {
    isNegated: false,
    type: 'GROUP',
    value: 'AND',
    children: [{ on: 'payload', field: 'region', operator: 'EQUAL', value }],
  },
];

const choose = (all: Candidate[], integrationIdentifier?: string) => {
  const variables = { payload: { region: 'eu' }, subscriber: {} };
  const { order, ...rest } = orderCandidates(all, { channel: 'email', integrationIdentifier, variables });
  return { order: order.map(({ id }) => id), ...rest };
};

describe('orderCandidates', () => {
  it('orders by matching conditions, then primary, then priority, then age', () => {
    const all = [
      candidate('e', { priority: 1 }),
      candidate('d', { priority: 1 }),
      candidate('c', { priority: 5 }),
      candidate('b', { primary: true, priority: 2 }),
      candidate('a', { conditions: when('eu'), priority: 1 }),
      candidate('0', { conditions: when('eu'), priority: 3 }),
    ];
    expect(choose(all)).toEqual({ order: ['0', 'a', 'b', 'c', 'd', 'e'], faults: [] });
    expect(choose(all.toReversed())).toEqual({ order: ['0', 'a', 'b', 'c', 'd', 'e'], faults: [] });
  });

  it('leaves out integrations that are inactive, of another channel or with conditions that do not match', () => {
    const all = [
      candidate('a', { active: false, primary: true }),
      candidate('b', { channel: 'sms' }),
      candidate('c', { conditions: when('us') }),
      candidate('d'),
    ];
    expect(choose(all)).toEqual({ order: ['d'], faults: [] });
    expect(choose([])).toEqual({ order: [], faults: [] });
  });

  it('uses only the integration that the trigger names and ignores its conditions', () => {
    const all = [
      candidate('a', { primary: true }),
      candidate('b', { conditions: when('us') }),
      candidate('c', { active: false }),
      candidate('d', { channel: 'sms' }),
    ];
    expect(choose(all, 'b-identifier')).toEqual({ order: ['b'], requested: 'b-identifier', faults: [] });
    for (const identifier of ['c-identifier', 'd-identifier', 'unknown', '']) {
      expect(choose(all, identifier)).toEqual({ order: [], requested: identifier, faults: [] });
    }
  });

  describe('orderCandidates with a demo provider', () => {
    const demo = candidate('0', { providerId: 'platform-email', priority: 0 });

    it('uses the demo provider when the channel has no other active integration', () => {
      const others = [candidate('a', { active: false }), candidate('b', { channel: 'sms' })];
      expect(choose([demo, ...others]).order).toEqual(['0']);
    });

    it('leaves the demo provider out beside a real integration whose conditions do not match', () => {
      expect(choose([demo, candidate('a')]).order).toEqual(['a']);
      expect(choose([demo, candidate('a', { conditions: when('us') })]).order).toEqual([]);
    });

    it('uses the demo provider when the trigger names it', () => {
      expect(choose([demo, candidate('a')], '0-identifier').order).toEqual(['0']);
    });
  });

  it('reports conditions that cannot be evaluated and leaves their integrations out', () => {
    expect(choose([candidate('a', { conditions: when('{{ x | y }}') }), candidate('b')])).toEqual({
      order: ['b'],
      faults: ['a-identifier: payload.region EQUAL "{{ x | y }}": only {{ path }} can be used here'],
    });
  });

  it('ignores the health of integrations and does not change the given list', () => {
    const all = [candidate('b'), candidate('a', { health: { state: 'open', since: '2026-01-01T00:00:00Z' } })];
    expect(choose(all)).toEqual({ order: ['a', 'b'], faults: [] });
    expect(all.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});
