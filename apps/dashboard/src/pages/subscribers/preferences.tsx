import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Channel, CHANNEL_NAMES, CHANNELS } from '../../api/channels';
import { api, type Schemas, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { ConfirmDialog } from '../../ui/dialog';
import { CheckBox } from '../../ui/field';
import { Loaded, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import styles from './subscribers.module.css';

type Flags = Schemas['ChannelFlagsDto'];
type Schedule = Schemas['ScheduleDto'];
type Asked = { workflowId?: string; name: string; channel: Channel; enabled: boolean };
type Row = { workflowId?: string; name: string; channels: Flags; isCritical: boolean };

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
  if (!list.data) {
    return (
      <Section title="Preferences">
        <Loaded query={list} lines={4}>
          {() => null}
        </Loaded>
      </Section>
    );
  }
  const { global, workflows, hasMore } = list.data;
  const verb = asked?.enabled ? 'Turn on' : 'Turn off';
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
          title={`${verb} ${CHANNEL_NAMES[asked.channel]} of ${asked.name} for this person?`}
          action={verb}
          run={() => {
            const params = { path: { subscriberId } };
            const body = { workflowId: asked.workflowId, channels: { [asked.channel]: asked.enabled } };
            return unwrap(api.PATCH('/v2/subscribers/{subscriberId}/preferences', { params, body }));
          }}
          stale={queryKey}
          done="The preference is saved."
          onClose={() => setAsked(undefined)}
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
                {CHANNELS.filter((channel) => channels[channel] !== undefined).map((channel) => (
                  <CheckBox
                    key={channel}
                    label={CHANNEL_NAMES[channel]}
                    checked={channels[channel]!}
                    disabled={!canWrite || isCritical}
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

function scheduleText(schedule: Schedule | undefined): string {
  if (!schedule?.isEnabled || !schedule.weeklySchedule) return 'No schedule: messages may arrive at any time.';
  const days = Object.entries(schedule.weeklySchedule).flatMap(([day, opening]) => {
    const { isEnabled, hours = [] } = opening as { isEnabled: boolean; hours?: { start: string; end: string }[] };
    return isEnabled ? [`${day} ${hours.map(({ start, end }) => `${start} to ${end}`).join(', ')}`] : [];
  });
  return days.length > 0 ? `Messages arrive only on: ${days.join('; ')}.` : 'The schedule is closed on all days.';
}
