/** Changes with the variables and translations of the environment; null when it never had any. */
export const contentStamp = (environmentId: string): string =>
  `(SELECT version::text FROM environment_content WHERE environment_id = ${environmentId})`;

/** Locks the environments ($1) for other writers, in the order of their ids against deadlocks. */
export const RAISE_CONTENT_VERSION = `
  INSERT INTO environment_content (environment_id)
  SELECT id FROM unnest($1::uuid[]) AS i (id) ORDER BY id
  ON CONFLICT (environment_id) DO UPDATE SET version = environment_content.version + 1`;
