import type { DatabaseActivityDto } from '@clarion/contracts';
import { command } from '../command';
import type { Output } from '../output';

export const DATABASE = [
  command({
    name: 'database',
    canWatch: true,
    about: 'connections and open transactions of Postgres, what statements wait for; 1 if it is not the primary',
    async run({ open, output, isJson }) {
      const { database } = await open({ anySchema: true });
      const { DatabaseActivityRepository } = await import('@clarion/persistence');
      const activity = await new DatabaseActivityRepository(database).read();
      if (isJson) output.json(activity);
      else show(output, activity);
      return activity.isPrimary ? 0 : 1;
    },
  }),
];

function show(output: Output, activity: DatabaseActivityDto): void {
  const { isPrimary, connections, maxConnections, applications, waits, statements, standbys } = activity;
  const role = isPrimary ? 'the primary' : 'a standby: it refuses writes';
  output.line(`Postgres is ${role}. ${connections} of ${maxConnections} connections are in use.`);
  output.line();
  output.table(applications.map((row) => ({ ...row, application: row.application || '(no name)' })));
  output.line();
  output.table(
    waits.map((row) => ({
      'waits for': `${row.type}: ${row.event}`,
      statements: row.statements,
      longest: `${row.longestSeconds} s`,
    })),
    'No statement waits.',
  );
  output.line();
  output.table(
    statements.map(({ pid, application, state, seconds, waitsFor, query }) => ({
      pid,
      application,
      state,
      since: `${seconds} s`,
      'waits for': waitsFor,
      query,
    })),
    'No statement runs.',
  );
  output.line();
  output.table(
    activity.openTransactions.map(({ kind, name, seconds, transactions }) => ({
      'open in any database': `${kind} ${name}`,
      since: seconds === null ? '' : `${seconds} s`,
      'keeps dead rows of': transactions === null ? '' : `${transactions} transactions`,
    })),
    'No transaction is open.',
  );
  if (standbys.length > 0) output.line();
  for (const { name, state, syncState, lagBytes, lagSeconds } of standbys) {
    const lag = `${lagBytes} bytes${lagSeconds === null ? '' : ` and ${lagSeconds} s`} behind`;
    output.line(`standby ${name}: ${state}, ${syncState}, ${lag}`);
  }
}
