import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type {
  Dialect,
  EnvironmentId,
  EnvironmentKind,
  EnvironmentType,
  InboxSignatures,
  WithoutIntegration,
} from '@clarion/contracts/core';
import { Organization } from './organization.entity';
import { Reference } from '../schema/reference';

/** What an API key opens: every other row belongs to one. `identifier` is the public name that the inbox uses. */
@Entity('environment')
@Unique('environment_name_key', ['organizationId', 'name'])
@Unique('environment_identifier_key', ['identifier'])
@Check('environment_dialect_check', `dialect IN ('spec', 'novu')`)
@Check('environment_kind_check', `kind IN ('development', 'production', 'sandbox')`)
@Check('environment_inbox_signatures_check', `inbox_signatures IN ('required', 'optional')`)
@Check('environment_without_integration_check', `without_integration IN ('fail', 'hold')`)
export class Environment {
  @PrimaryColumn('uuid') id!: EnvironmentId;
  @Reference(() => Organization) organizationId!: string;
  @Column('text') name!: string;
  @Column('text') identifier!: string;
  @Column('text', { default: 'dev' }) type!: EnvironmentType;

  /** Decides whether the demo providers may send. In a sandbox no provider is called. */
  @Column('text', { default: 'production' }) kind!: EnvironmentKind;

  /** What happens to the steps of a channel without an active integration. */
  @Column('text', { default: 'fail' }) withoutIntegration!: WithoutIntegration;

  /** Of a sandbox: the only address that emails are really sent to; null puts them into the outbox. */
  @Column('text', { nullable: true }) sandboxEmail!: string | null;

  /** The same for text messages. */
  @Column('text', { nullable: true }) sandboxPhone!: string | null;
  @Column('text', { nullable: true }) color!: string | null;
  @Column('uuid', { nullable: true }) parentId!: EnvironmentId | null;

  /** How responses are spelt; null means the default of the installation. */
  @Column('text', { nullable: true }) dialect!: Dialect | null;

  /** Whether keys of the scope `trigger` may change sender and recipients by overrides. */
  @Column('boolean', { default: false }) allowRecipientOverrides!: boolean;

  /** Whether keys of the scope `trigger` may give an event a higher priority than its default. */
  @Column('boolean', { default: false }) allowRaisedPriority!: boolean;

  /** The origins whose pages may use the inbox; null means every origin. */
  @Column('text', { array: true, nullable: true }) allowedOrigins!: string[] | null;

  /** Whether sessions of the inbox need a signature; null means the default of the kind. */
  @Column('text', { nullable: true }) inboxSignatures!: InboxSignatures | null;

  /** Deleted environments are hidden, and maintenance deletes their rows. */
  @Column('timestamp with time zone', { precision: 3, nullable: true }) deletedAt!: Date | null;

  /** Whether opened emails, and followed links of emails, are recorded. */
  @Column('boolean', { default: false }) trackOpens!: boolean;
  @Column('boolean', { default: false }) trackClicks!: boolean;

  /** Whether emails have the headers for unsubscribing with one click. */
  @Column('boolean', { default: true }) oneClickUnsubscribe!: boolean;

  /** Whether what happens is recorded in the event log. An environment with webhook endpoints records it anyway. */
  @Column('boolean', { default: false }) eventLog!: boolean;

  /** The locale of subscribers without a text in their own. */
  @Column('text', { default: 'en_US' }) defaultLocale!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
