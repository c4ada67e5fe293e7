import { Foundation1700000000000 } from './1700000000000-foundation';
import { Sessions1763250000000 } from './1763250000000-sessions';
import { Rollups1763250100000 } from './1763250100000-rollups';
import { BulkActions1763250200000 } from './1763250200000-bulk-actions';
import { Holds1763250300000 } from './1763250300000-holds';
import { SubscriberSearch1763250500000 } from './1763250500000-subscriber-search';
import { HonestOutcomes1763260000000 } from './1763260000000-honest-outcomes';
import { Sweep1763260100000 } from './1763260100000-sweep';
import { Limits1763260200000 } from './1763260200000-limits';
import { InboxOrigins1763270000000 } from './1763270000000-inbox-origins';
import { Presence1763270100000 } from './1763270100000-presence';
import { Promotion1763270200000 } from './1763270200000-promotion';
import { EnvironmentContent1763270300000 } from './1763270300000-environment-content';
import { ChannelEndpoints1763270400000 } from './1763270400000-channel-endpoints';
import { Webhooks1763270500000 } from './1763270500000-webhooks';
import { Tracking1763270600000 } from './1763270600000-tracking';
import { Privacy1763270700000 } from './1763270700000-privacy';
import { Redaction1763270800000 } from './1763270800000-redaction';
import { ImportRun1763270900000 } from './1763270900000-import-run';
import { Mirror1763271000000 } from './1763271000000-mirror';
import { FormerIdentifiers1763271100000 } from './1763271100000-former-identifiers';
import { SendRate1763271900000 } from './1763271900000-send-rate';
import { RedactOtherShapes1763272000000 } from './1763272000000-redact-other-shapes';
import { EraseImports1763273200000 } from './1763273200000-erase-imports';
import { PersonalAuditEntries1763281000000 } from './1763281000000-personal-audit-entries';
import { LimitsOfOrganizations1763282000000 } from './1763282000000-limits-of-organizations';
import { SetByOperator1763283000000 } from './1763283000000-set-by-operator';
import { BulkActionFailures1763283100000 } from './1763283100000-bulk-action-failures';
import { InboxSignatures1763284000000 } from './1763284000000-inbox-signatures';
import { WhileRetrying1763285000000 } from './1763285000000-while-retrying';
import { Lanes1763287000000 } from './1763287000000-lanes';
import { EventLogBatches1763288000000 } from './1763288000000-event-log-batches';
import { ReplayedFailures1763290000000 } from './1763290000000-replayed-failures';
import { TestTriggers1763291000000 } from './1763291000000-test-triggers';
import { Maintenance1763292000000 } from './1763292000000-maintenance';
import { OldestOpen1763293000000 } from './1763293000000-oldest-open';
import { AccountWaits1763294000000 } from './1763294000000-account-waits';
import { LogTurns1763295000000 } from './1763295000000-log-turns';
import { PacedWaits1763296000000 } from './1763296000000-paced-waits';
import { HoldRelease1763297000000 } from './1763297000000-hold-release';
import { ReplayThrough1763298000000 } from './1763298000000-replay-through';

/** In order; a new migration is a new file and a new line here. */
export const MIGRATIONS = [
  Foundation1700000000000,
  Sessions1763250000000,
  Rollups1763250100000,
  BulkActions1763250200000,
  Holds1763250300000,
  SubscriberSearch1763250500000,
  HonestOutcomes1763260000000,
  Sweep1763260100000,
  Limits1763260200000,
  InboxOrigins1763270000000,
  Presence1763270100000,
  Promotion1763270200000,
  EnvironmentContent1763270300000,
  ChannelEndpoints1763270400000,
  Webhooks1763270500000,
  Tracking1763270600000,
  Privacy1763270700000,
  Redaction1763270800000,
  ImportRun1763270900000,
  Mirror1763271000000,
  FormerIdentifiers1763271100000,
  SendRate1763271900000,
  RedactOtherShapes1763272000000,
  EraseImports1763273200000,
  PersonalAuditEntries1763281000000,
  LimitsOfOrganizations1763282000000,
  SetByOperator1763283000000,
  BulkActionFailures1763283100000,
  InboxSignatures1763284000000,
  WhileRetrying1763285000000,
  Lanes1763287000000,
  EventLogBatches1763288000000,
  ReplayedFailures1763290000000,
  TestTriggers1763291000000,
  Maintenance1763292000000,
  OldestOpen1763293000000,
  AccountWaits1763294000000,
  LogTurns1763295000000,
  PacedWaits1763296000000,
  HoldRelease1763297000000,
  ReplayThrough1763298000000,
];
