import type { DatabaseState, VacuumObstacle } from '@clarion/persistence';
import { databaseFindings } from './doctor-database';

const STATE: DatabaseState = {
  version: '17.2',
  isInRecovery: false,
  readOnly: false,
  synchronousCommit: 'on',
  synchronousStandbyNames: '',
  keepsCommitsOnStandby: false,
  standbys: [],
  maxConnections: 100,
  connections: 10,
  serverTime: 0,
  fsync: true,
  fullPageWrites: true,
  pooler: false,
  sizeBytes: 0,
  missingPartitions: [],
  maintenance: { seconds: 60, obstacles: [] },
  vacuumObstacles: [],
};
const BACKUP: VacuumObstacle = { kind: 'session', name: '7 pg_dump', seconds: 10, transactions: 3 };
const SLOT: VacuumObstacle = { kind: 'replication slot', name: 'old', seconds: null, transactions: 3 };

describe('what the doctor says about dead rows', () => {
  it.each<[string, VacuumObstacle[], string]>([
    ['nothing', [], 'ok'],
    ['short transactions and slots that follow', [BACKUP, SLOT], 'ok'],
    ['a transaction of ten minutes', [{ ...BACKUP, seconds: 600 }, SLOT], 'warn'],
    ['a transaction of two hours', [{ ...BACKUP, seconds: 7_200 }], 'bad'],
    ['a slot that is far behind', [{ ...SLOT, transactions: 2_000_000 }], 'bad'],
  ])('judges %s', (_, vacuumObstacles, severity) => {
    const findings = databaseFindings({ ...STATE, vacuumObstacles }, { offsetMs: 0, poolSize: 5 });
    expect(findings.find(({ check }) => check === 'vacuum')).toMatchObject({ severity });
  });

  it('names each obstacle with its age', () => {
    const vacuumObstacles = [
      { ...BACKUP, seconds: 600 },
      { ...SLOT, transactions: 2_000_000 },
    ];
    const findings = databaseFindings({ ...STATE, vacuumObstacles }, { offsetMs: 0, poolSize: 5 });
    expect(findings.find(({ check }) => check === 'vacuum')!.found).toContain(
      'session 7 pg_dump (for 10 minutes, 3 transactions); replication slot old (2000000 transactions)',
    );
  });
});

describe('what the doctor says about maintenance', () => {
  const judge = (maintenance: DatabaseState['maintenance']) => {
    const findings = databaseFindings({ ...STATE, maintenance }, { offsetMs: 0, poolSize: 5 });
    return Object.fromEntries(findings.map(({ check, severity, found }) => [check, { severity, found }]));
  };

  it('reports a maintenance that is old or never ended', () => {
    expect(judge(STATE.maintenance)['maintenance']).toMatchObject({ severity: 'ok' });
    expect(judge(null)['maintenance']).toMatchObject({ severity: 'warn', found: 'None has ended yet' });
    expect(judge({ seconds: 4 * 3600, obstacles: [] })['maintenance']).toMatchObject({ severity: 'warn' });
  });

  it('names what keeps history past its retention', () => {
    const obstacles = [{ partition: 'trigger_w20260101', reason: 'It waits for process 7 (pg_dump)' }];
    expect(judge({ seconds: 60, obstacles })['retention']).toEqual({
      severity: 'warn',
      found: 'History past its retention could not be dropped: trigger_w20260101 (It waits for process 7 (pg_dump))',
    });
  });
});
