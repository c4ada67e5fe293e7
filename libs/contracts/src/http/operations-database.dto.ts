import { Amount, Children, Flag, Text, Whole } from './fields';

class DatabaseConnectionsDto {
  @Text('The role of Clarion, such as `clarion-gateway`, or another program.') application!: string;
  @Text('`active`, `idle`, `idle in transaction`; `hidden` if the login may not see it.') state!: string;
  @Whole() connections!: number;
}

class DatabaseWaitDto {
  @Text('The `wait_event_type` of Postgres.', { example: 'Lock' }) type!: string;
  @Text('The `wait_event` of Postgres.', { example: 'transactionid' }) event!: string;
  @Whole('Statements of Clarion that wait for it.') statements!: number;
  @Amount('For how long the oldest of them has run.') longestSeconds!: number;
}

class DatabaseStatementDto {
  @Whole('The number of the server process, for `pg_terminate_backend`.') pid!: number;
  @Text() application!: string;
  @Text('`active`, or `idle in transaction`: the transaction is open and does nothing.') state!: string;
  @Amount('For how long its transaction has been open.') seconds!: number;
  @Text('What it waits for; null while it runs.', { nullable: true, example: 'Lock: transactionid' })
  waitsFor!: string | null;
  @Text('The first 80 characters, without values.') query!: string;
}

class DatabaseStandbyDto {
  @Text('Its `application_name`.') name!: string;
  @Text('`streaming` when it follows.') state!: string;
  @Text('`sync` or `quorum`: commits wait for it. `async`: no commit waits.') syncState!: string;
  @Amount('What it has not applied yet.') lagBytes!: number;
  @Amount('How long the last changes took to be applied there.', { nullable: true }) lagSeconds!: number | null;
}

class OpenTransactionDto {
  @Text('`session`, `prepared transaction`, `replication slot` or `standby`.') kind!: string;
  @Text('Process and program of a session; the name of the others.', { example: '4711 pg_dump' }) name!: string;
  @Amount('For how long; null where Postgres does not know it.', { nullable: true }) seconds!: number | null;
  @Amount('Transactions whose dead rows Postgres keeps for it; null for none.', { nullable: true })
  transactions!: number | null;
}

export class DatabaseActivityDto {
  @Flag('False on a standby, which refuses writes.') isPrimary!: boolean;
  @Whole('Connections to the server, from all programs.') connections!: number;
  @Whole() maxConnections!: number;
  @Children(() => DatabaseConnectionsDto, 'Connections to this database, the most first.')
  applications!: DatabaseConnectionsDto[];
  @Children(() => DatabaseWaitDto, 'The most statements first.') waits!: DatabaseWaitDto[];
  @Children(() => DatabaseStatementDto, 'Statements of Clarion, the longest first, at most 10.')
  statements!: DatabaseStatementDto[];
  @Children(
    () => OpenTransactionDto,
    'Open transactions of all programs and databases, the oldest first, then slots and standbys; at most 50.',
  )
  openTransactions!: OpenTransactionDto[];
  @Children(() => DatabaseStandbyDto, 'Servers that receive the changes of this one.') standbys!: DatabaseStandbyDto[];
}
