import { Amount, Children, Flag, Text, Whole } from './fields';

class DatabaseConnectionsDto {
  @Text({ description: 'The role of Clarion, such as `clarion-gateway`, or another program.' }) application!: string;
  @Text({ description: '`active`, `idle`, `idle in transaction`; `hidden` if the login may not see it.' })
  state!: string;
  @Whole() connections!: number;
}

class DatabaseWaitDto {
  @Text({ description: 'The `wait_event_type` of Postgres.', example: 'Lock' }) type!: string;
  @Text({ description: 'The `wait_event` of Postgres.', example: 'transactionid' }) event!: string;
  @Whole({ description: 'Statements of Clarion that wait for it.' }) statements!: number;
  @Amount({ description: 'For how long the oldest of them has run.' }) longestSeconds!: number;
}

class DatabaseStatementDto {
  @Whole({ description: 'The number of the server process, for `pg_terminate_backend`.' }) pid!: number;
  @Text() application!: string;
  @Text({ description: '`active`, or `idle in transaction`: the transaction is open and does nothing.' })
  state!: string;
  @Amount({ description: 'For how long its transaction has been open.' }) seconds!: number;
  @Text({ nullable: true, description: 'What it waits for; null while it runs.', example: 'Lock: transactionid' })
  waitsFor!: string | null;
  @Text({ description: 'The first 80 characters, without values.' }) query!: string;
}

class DatabaseStandbyDto {
  @Text({ description: 'Its `application_name`.' }) name!: string;
  @Text({ description: '`streaming` when it follows.' }) state!: string;
  @Text({ description: '`sync` or `quorum`: commits wait for it. `async`: no commit waits.' }) syncState!: string;
  @Amount({ description: 'What it has not applied yet.' }) lagBytes!: number;
  @Amount({ nullable: true, description: 'How long the last changes took to be applied there.' })
  lagSeconds!: number | null;
}

class OpenTransactionDto {
  @Text({ description: '`session`, `prepared transaction`, `replication slot` or `standby`.' }) kind!: string;
  @Text({ description: 'Process and program of a session; the name of the others.', example: '4711 pg_dump' })
  name!: string;
  @Amount({ nullable: true, description: 'For how long; null where Postgres does not know it.' })
  seconds!: number | null;
  @Amount({ nullable: true, description: 'Transactions whose dead rows Postgres keeps for it; null for none.' })
  transactions!: number | null;
}

export class DatabaseActivityDto {
  @Flag({ description: 'False on a standby, which refuses writes.' }) isPrimary!: boolean;
  @Whole({ description: 'Connections to the server, from all programs.' }) connections!: number;
  @Whole() maxConnections!: number;
  @Children(() => DatabaseConnectionsDto, { description: 'Connections to this database, the most first.' })
  applications!: DatabaseConnectionsDto[];
  @Children(() => DatabaseWaitDto, { description: 'The most statements first.' }) waits!: DatabaseWaitDto[];
  @Children(() => DatabaseStatementDto, { description: 'Statements of Clarion, the longest first, at most 10.' })
  statements!: DatabaseStatementDto[];
  @Children(() => OpenTransactionDto, {
    description:
      'Open transactions of all programs and databases, the oldest first, then slots and standbys; at most 50.',
  })
  openTransactions!: OpenTransactionDto[];
  @Children(() => DatabaseStandbyDto, { description: 'Servers that receive the changes of this one.' })
  standbys!: DatabaseStandbyDto[];
}
