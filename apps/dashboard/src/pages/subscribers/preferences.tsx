import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { ConfirmDialog } from '../../ui/dialog';
import { CheckBox } from '../../ui/field';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Section } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { showToast } from '../../ui/toasts';
import styles from './subscribers.module.css';

type Flags = Schemas['ChannelFlagsDto'];
type ChannelName = keyof Flags;
type Schedule = Schemas['ScheduleDto'];
type Asked = { workflowId?: string; name: string; channel: ChannelName; enabled: boolean };
type Row = { workflowId?: string; name: string; channels: Flags; isCritical: boolean };

const CHANNELS = { in_app: 'In-app', email: 'Email', sms: 'SMS', chat: 'Chat', push: 'Push' } as const;
const CHANNEL_NAMES = Object.keys(CHANNELS) as ChannelName[];

/** What the subscriber wants to receive: for all workflows, and for each workflow. */
export function Preferences({ subscriberId }: { subscriberId: string }) {
  const canWrite = useCanWrite();
  const [asked, setAsked] = useState<Asked>();
  const queryKey = ['subscriber', subscriberId, 'preferences'];
  const list = useQuery({
    queryKey,
    queryFn: () => {
      const params = { path: { subscriberId }, query: { criticality: 'all' as const } };
      return unwrap(api.GET('/v2/subscribers/{subscriberId}/preferences', { params }));
    },
  });
  const change = useMutation({
    mutationFn: (body: { workflowId?: string; channels: Flags }) => {
      const params = { path: { subscriberId } };
      return unwrap(api.PATCH('/v2/subscribers/{subscriberId}/preferences', { params, body }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      setAsked(undefined);
      showToast('The preference is saved.');
    },
  });
  if (list.isPending || list.isError) {
    return (
      <Section title="Preferences">
        {list.isError ? <LoadError error={list.error} onRetry={() => void list.refetch()} /> : <Skeleton lines={4} />}
      </Section>
    );
  }
  const { global, workflows, hasMore } = list.data;
  const rows: Row[] = [
    { name: 'All workflows', channels: global.channels, isCritical: false },
    ...workflows.map(({ channels, workflow }) => ({
      workflowId: workflow.identifier,
      name: workflow.name,
      channels,
      isCritical: workflow.critical,
    })),
  ];
  return (
    <Section title="Preferences">
      {asked && (
        <ConfirmDialog
          title={`Turn ${asked.enabled ? 'on' : 'off'} ${CHANNELS[asked.channel]} of ${asked.name} for this person?`}
          action={asked.enabled ? 'Turn on' : 'Turn off'}
          isBusy={change.isPending}
          error={change.error && <Alert tone="bad">{messageOf(change.error)}</Alert>}
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            change.mutate({ workflowId: asked.workflowId, channels: { [asked.channel]: asked.enabled } })
          }
        >
          <p>It replaces what {subscriberId} has chosen, and is recorded in the audit log. Tell the person about it.</p>
        </ConfirmDialog>
      )}
      <p>{scheduleText(global.schedule)}</p>
      <Table
        label="Preferences for each workflow"
        rows={rows}
        rowKey={({ workflowId = '' }) => workflowId}
        columns={[
          {
            name: 'Workflow',
            cell: ({ name, isCritical }) => (
              <>
                {name} {isCritical && <Badge tone="info">Critical</Badge>}
              </>
            ),
          },
          {
            name: 'Channels',
            cell: ({ workflowId, name, channels, isCritical }) => (
              <div className={styles['switches']} role="group" aria-label={name}>
                {CHANNEL_NAMES.filter((channel) => channels[channel] !== undefined).map((channel) => (
                  <CheckBox
                    key={channel}
                    label={CHANNELS[channel]}
                    checked={channels[channel]!}
                    disabled={!canWrite || isCritical || change.isPending}
                    onChange={(enabled) => setAsked({ workflowId, name, channel, enabled })}
                  />
                ))}
              </div>
            ),
          },
        ]}
      />
      {hasMore && <p>Not all workflows are shown.</p>}
    </Section>
  );
}

/** The schedule in one sentence, by the days on which it is open. */
function scheduleText(schedule: Schedule | undefined): string {
  if (!schedule?.isEnabled || !schedule.weeklySchedule) return 'No schedule: messages may arrive at any time.';
  const days = Object.entries(schedule.weeklySchedule).flatMap(([day, opening]) => {
    const { isEnabled, hours = [] } = opening as { isEnabled: boolean; hours?: { start: string; end: string }[] };
    return isEnabled ? [`${day} ${hours.map(({ start, end }) => `${start} to ${end}`).join(', ')}`] : [];
  });
  return days.length > 0 ? `Messages arrive only on: ${days.join('; ')}.` : 'The schedule is closed on all days.';
}
