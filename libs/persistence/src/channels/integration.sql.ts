import { DEMO_PROVIDERS } from '@clarion/contracts/core';

const DEMO = DEMO_PROVIDERS.map((providerId) => `'${providerId}'`).join(', ');

/** Whether the integration `i` of the environment `e` sends. In production a demo provider never counts. */
export const MAY_SEND = `i.active AND NOT i.deleted AND (e.kind <> 'production' OR i.provider_id NOT IN (${DEMO}))`;

/** Whether the integration `i` shows the inbox. An environment has one at most. */
export const SHOWS_INBOX = `i.channel = 'in_app' AND i.active AND NOT i.deleted`;

/** What decides whether the inbox of the environment `e` needs signatures. */
export const IN_APP = `
  (SELECT jsonb_build_object('id', i.id, 'environmentId', e.id, 'credentials', i.credentials,
                             'configurations', i.configurations)
     FROM integration i WHERE i.environment_id = e.id AND ${SHOWS_INBOX})`;
