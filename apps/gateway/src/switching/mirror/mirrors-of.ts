import { AuditLogRepository, type Database, MirrorRepository } from '@clarion/persistence';
import type { Egress, SecretBox } from '@clarion/platform';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { MirrorService } from './mirror.service';

/** The mirrors of a database, for the command line. */
export const mirrorsOf = (database: Database, egress: Egress, secrets: SecretBox): MirrorService =>
  new MirrorService(
    database,
    new MirrorRepository(database),
    egress,
    secrets,
    new AuditLog(new AuditLogRepository(database)),
  );
