import { Column, Entity, Index } from 'typeorm';
import type { LinkPurpose } from '@clarion/contracts/core';
import { Integration } from './integration.entity';
import { Reference } from '../schema/reference';
import { EnvironmentRow } from '../tenancy/environment-row';

export type SetupLinkDetails = {
  subscriberId?: string;
  contextKeys: string[];
  connectionIdentifier?: string;
  isShared?: boolean;
  /** The subscriber asked for the link: it can change only connections that it owns. */
  isOwn?: boolean;
  /** Also link the person who connects the workspace. */
  linksUser?: boolean;
  /** The URL to which the provider sends the visitor; it is compared when the code is exchanged. */
  redirectUri?: string;
  /** What the provider is asked to allow; without it, what the integration needs. */
  scopes?: string[];
  /** Set for a second visit: the tenant that was consented for. */
  tenantId?: string;
};

/** A link that was handed out and not used yet. Using it deletes the row, so it works once. */
@Entity('setup_link')
@Index('setup_link_expiry_idx', ['expiresAt'])
export class SetupLink extends EnvironmentRow {
  @Reference(() => Integration) integrationId!: string;
  @Column('text') purpose!: LinkPurpose;
  @Column('jsonb') details!: SetupLinkDetails;
  @Column('timestamp with time zone', { precision: 3 }) expiresAt!: Date;
}
