import { Foundation1700000000000 } from './1700000000000-foundation';
import { Delivery1700000001000 } from './1700000001000-delivery';
import { Providers1700000002000 } from './1700000002000-providers';
import { Observe1700000003000 } from './1700000003000-observe';
import { Access1700000004000 } from './1700000004000-access';
import { RowLevelSecurity1700000005000 } from './1700000005000-row-level-security';
import { IdempotencyClaims1700000005100 } from './1700000005100-idempotency-claims';
import { Reading1700000006000 } from './1700000006000-reading';
import { Authoring1700000007000 } from './1700000007000-authoring';
import { Inbound1700000008000 } from './1700000008000-inbound';

/** In order; a new migration is a new file and a new line here. */
export const MIGRATIONS = [
  Foundation1700000000000,
  Delivery1700000001000,
  Providers1700000002000,
  Observe1700000003000,
  Access1700000004000,
  RowLevelSecurity1700000005000,
  IdempotencyClaims1700000005100,
  Reading1700000006000,
  Authoring1700000007000,
  Inbound1700000008000,
];
