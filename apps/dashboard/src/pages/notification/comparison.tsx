import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useProviderName } from '../../api/providers';
import { Facts, Loading } from '../../ui/page';
import { Table } from '../../ui/table';
import { formatDuration, Time } from '../../ui/time';
import styles from './notification.module.css';
import { comparisonQuery, type Notification } from './queries';

/** What is not as in the last good run, apart from the payload; nothing where all is the same. */
export function Changes({
  notification: { _id = '', template },
  stepId,
}: {
  notification: Notification;
  stepId?: string;
}) {
  const { data } = useQuery(comparisonQuery(_id));
  const nameOf = useProviderName();
  if (!data?.good) return null;
  const { current, good } = data;
  const providerOf = ({ steps }: typeof current): string => {
    const { providerId } = steps.find((step) => step.stepId === stepId) ?? {};
    return providerId ? nameOf(providerId) : '';
  };
  const workflowId = template?.triggers[0]?.identifier;
  const changes = [
    { name: 'Version', before: String(good.workflowVersion), now: String(current.workflowVersion) },
    { name: 'Provider', before: providerOf(good), now: providerOf(current) },
  ].filter(({ before, now }) => before !== '' && now !== '' && before !== now);
  if (changes.length === 0) return null;
  return (
    <section className={styles['part']} aria-label="Changed since the last good run">
      <p className={styles['paneHead']}>
        <strong>Changed since the last good run</strong>
        <span className="quiet">
          <Time at={good.createdAt} relative />
        </span>
      </p>
      <Facts
        facts={Object.fromEntries(
          changes.map(({ name, before, now }) => [
            name,
            <>
              <del>{before}</del> <ins>{now}</ins>{' '}
              {name === 'Version' && workflowId && (
                <Link to="/workflows/$workflowId" params={{ workflowId }}>
                  Versions
                </Link>
              )}
            </>,
          ]),
        )}
      />
    </section>
  );
}

/** This run beside the last good one of the same workflow. */
export function Comparison({ id }: { id: string }) {
  const loaded = useQuery(comparisonQuery(id));
  const nameOf = useProviderName();
  if (!loaded.data) return <Loading query={loaded} lines={3} />;
  const { data } = loaded;
  const { current, good, payload } = data;
  if (!good) return <p>No earlier run of this workflow succeeded, so there is nothing to compare with.</p>;
  const duration = (milliseconds?: number): string => (milliseconds === undefined ? '' : formatDuration(milliseconds));
  return (
    <>
      <p>
        The last good run is{' '}
        <Link to="/activity/$notificationId" params={{ notificationId: good._id }}>
          <Time at={good.createdAt} />
        </Link>
        {good.workflowVersion === current.workflowVersion
          ? `, with the same version ${good.workflowVersion} of the workflow.`
          : `, with version ${good.workflowVersion} of the workflow; this run has version ${current.workflowVersion}.`}
      </p>
      <Table
        label="Steps of both runs"
        rowKey={({ stepId }) => stepId}
        rows={current.steps}
        columns={[
          { name: 'Step', cell: ({ stepId }) => stepId },
          { name: 'This run', cell: ({ status, providerId }) => `${status}, ${nameOf(providerId)}` },
          {
            name: 'Good run',
            cell: ({ stepId }) => {
              const other = good.steps.find((step) => step.stepId === stepId);
              return other ? `${other.status}, ${nameOf(other.providerId)}` : 'did not have it';
            },
          },
          { name: 'Time', isNumber: true, cell: ({ milliseconds }) => duration(milliseconds) },
          {
            name: 'Good time',
            isNumber: true,
            cell: ({ stepId }) => duration(good.steps.find((step) => step.stepId === stepId)?.milliseconds),
          },
        ]}
      />
      {payload.length === 0 ? (
        <p>The payloads are equal.</p>
      ) : (
        <Table
          label="Values of the payload that differ"
          rowKey={({ path }) => path}
          rows={payload}
          columns={[
            { name: 'Path', cell: ({ path }) => <code>{path}</code> },
            { name: 'This run', cell: (change) => <code>{change.current ?? 'absent'}</code> },
            { name: 'Good run', cell: (change) => <code>{change.good ?? 'absent'}</code> },
          ]}
        />
      )}
    </>
  );
}
