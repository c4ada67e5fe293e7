import { isMirrored } from '../operations/mirror/mirror.sql';

/** The owners of the API keys with the hashes $1. */
export const KEY_OWNERS = `
SELECT k.hash, k.id AS key_id, k.name AS key_name, k.prefix AS key_prefix, k.scope, k.expires_at, k.allowed_addresses,
       e.id AS environment_id, e.name AS environment_name, e.dialect, e.allow_recipient_overrides,
       e.allow_raised_priority, e.organization_id, ${isMirrored('e.id')} AS is_mirrored
  FROM api_key k JOIN environment e ON e.id = k.environment_id AND e.deleted_at IS NULL
 WHERE k.hash = ANY ($1::bytea[]) AND k.revoked_at IS NULL`;
