import { Link, useLocation } from '@tanstack/react-router';
import type { operations } from '../../dist/api/schema';
import { Icon } from '../ui/icon';
import { HELP_PATH, pageOf, type PagePath } from './pages';
import styles from './shell.module.css';

/** A document of `docs` by its name and title, and operations of the API by their ids. */
type Help = { document: [name: string, title: string]; operations: Partial<Record<keyof operations, string>> };

const KEYS: Help['document'] = ['guide/keys-and-tenants', 'Keys and tenants'];
const STEPS: Help['document'] = ['authoring', 'Writing steps'];

/** What explains each page. */
const HELP: Record<PagePath, Help> = {
  '/overview': {
    document: ['guide/night', 'Tools for the night'],
    operations: { overview_retrieve: 'Figures of a time range', overview_errorGroups: 'Errors by reason' },
  },
  '/activity': {
    document: ['execution-details', 'Execution details'],
    operations: {
      activity_list: 'List notifications',
      notifications_retrieve: 'One notification with its steps',
      bulkActions_create: 'Replay or cancel many',
    },
  },
  '/subscribers': {
    document: ['privacy', 'Privacy: export, erasure, redaction and sandboxes'],
    operations: { subscribers_create: 'Create a subscriber', subscriberPreferences_update: 'Change preferences' },
  },
  '/topics': {
    document: ['concepts', 'Concepts'],
    operations: { topics_create: 'Create a topic', topicSubscriptions_subscribe: 'Add subscribers' },
  },
  '/suppressions': {
    document: ['tracking', 'Opens, clicks and unsubscribing'],
    operations: { suppressions_create: 'Suppress an address', suppressions_delete: 'Lift a suppression' },
  },
  '/workflows': {
    document: STEPS,
    operations: { workflows_create: 'Create a workflow', workflows_preview: 'Preview a step' },
  },
  '/layouts': {
    document: STEPS,
    operations: { layouts_create: 'Create a layout', layouts_preview: 'Preview a layout' },
  },
  '/translations': {
    document: ['translations', 'Translations and environment variables'],
    operations: { translations_create: 'Store the texts of a locale', translations_upload: 'Upload files' },
  },
  '/promotion': {
    document: ['promotion', 'Environments and promotion'],
    operations: { promotion_diff: 'Compare environments', promotion_publish: 'Publish' },
  },
  '/integrations': {
    document: ['guide/sending', 'Sending'],
    operations: { integrations_create: 'Add an integration', holds_pauseIntegration: 'Pause an integration' },
  },
  '/outbox': { document: KEYS, operations: { outbox_list: 'List the messages' } },
  '/webhooks': {
    document: ['webhooks', 'Webhooks and the event log'],
    operations: { webhookEndpoints_create: 'Add an endpoint', eventLog_list: 'Read the event log' },
  },
  '/settings': {
    document: KEYS,
    operations: {
      environments_create: 'Create an environment',
      environments_createKey: 'Create a key',
      auditLog_list: 'Read the audit log',
    },
  },
};

/** The document of this page, its operations in the API reference, and everything else that explains. */
export default function HelpLinks({ onFollow }: { onFollow(): void }) {
  const path = pageOf(useLocation().pathname)?.[0] as PagePath | undefined;
  const help = path && HELP[path];
  return (
    <nav aria-label="Help" className={styles['help']}>
      {help && (
        <>
          <Document name={help.document[0]} title={help.document[1]} onFollow={onFollow} />
          {Object.entries(help.operations).map(([id, does]) => (
            <a key={id} className={styles['link']} href={`${HELP_PATH}/${id}`}>
              <Icon name="terminal" />
              {does}
            </a>
          ))}
          <hr />
        </>
      )}
      <Document name="" title="All documents" onFollow={onFollow} />
      <a className={styles['link']} href={HELP_PATH}>
        <Icon name="terminal" />
        API reference
      </a>
    </nav>
  );
}

function Document({ name, title, onFollow }: { name: string; title: string; onFollow(): void }) {
  return (
    <Link to="/help/$" params={{ _splat: name }} className={styles['link']} onClick={onFollow}>
      <Icon name="book" />
      {title}
    </Link>
  );
}
