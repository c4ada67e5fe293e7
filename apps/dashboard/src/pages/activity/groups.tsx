import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CHANNEL_NAMES } from '../../api/channels';
import { providersQuery, useProviderName } from '../../api/providers';
import { Empty, Loading } from '../../ui/page';
import { Mark, outcomeTone, outcomeWord } from '../../ui/status';
import { Table } from '../../ui/table';
import { formatNumber, plural, Time } from '../../ui/time';
import { type ErrorGroup, groupsQuery } from './activity-data';
import { GroupBars, GroupRows, GroupToggle, keyOfGroup } from './group-parts';
import styles from './groups.module.css';
import { filtersOfGroup, ReasonActions } from './reason-actions';
import type { ActivityFilters } from './search';

const NO_REASON = 'No reason was recorded';

type GroupsProps = { filters: ActivityFilters; onReplay(of: ActivityFilters): void };

/** What was not delivered, by reason: the words of the provider, how many people, and who was reached otherwise. */
export default function Groups({ filters, onReplay }: GroupsProps) {
  const groups = useQuery(groupsQuery(filters));
  usePrefetchQuery(providersQuery);
  const [open, setOpen] = useState<string[]>([]);
  const isOpen = (group: ErrorGroup): boolean => open.includes(keyOfGroup(group));
  const toggle = (key: string): void =>
    setOpen((before) => (before.includes(key) ? before.filter((each) => each !== key) : [...before, key]));
  const { data } = groups;
  if (!data) return <Loading query={groups} lines={6} />;
  if (data.data.length === 0) {
    return <Empty title="Everything that matches was delivered or is in flight">There is nothing to group.</Empty>;
  }
  return (
    <>
      <Table
        label="Reasons"
        rows={data.data}
        rowKey={keyOfGroup}
        columns={[
          {
            name: 'Reason',
            cell: (group) => (
              <Why group={group} filters={filters} isOpen={isOpen(group)} onToggle={() => toggle(keyOfGroup(group))} />
            ),
          },
          { name: 'When', cell: (group) => <GroupBars group={group} /> },
          { name: 'Steps', isNumber: true, cell: ({ count }) => formatNumber(count) },
          { name: 'People', isNumber: true, cell: ({ people }) => formatNumber(people) },
          { name: 'Reached otherwise', isNumber: true, cell: (group) => formatNumber(group.reachedOtherwise) },
          { name: 'Last', cell: ({ lastAt }) => <Time at={lastAt} relative /> },
        ]}
        below={(group) => isOpen(group) && <GroupRows group={group} filters={filters} />}
        actions={(group) => (
          <span className={styles['actions']}>
            <ReasonActions group={group} onReplay={() => onReplay(filtersOfGroup(group, filters))} />
          </span>
        )}
      />
      {data.isBounded && (
        <p className={styles['note']}>
          Grouped from the newest {plural(data.searched ?? 0, 'notification')} that were searched. Set a time range to
          look further back.
        </p>
      )}
    </>
  );
}

type WhyProps = { group: ErrorGroup; filters: ActivityFilters; isOpen: boolean; onToggle(): void };

/** The words of the provider, with what they are about. */
function Why({ group, filters, isOpen, onToggle }: WhyProps) {
  const { reason, outcome, channel, providerId, code, isReplayed, recovered } = group;
  const nameOf = useProviderName();
  const after = isReplayed && `replayed, ${formatNumber(recovered)} recovered`;
  return (
    <span className={styles['why']}>
      <GroupToggle group={group} isOpen={isOpen} onToggle={onToggle} />
      <Mark tone={outcomeTone(outcome)} />
      <Link to="/activity" search={filtersOfGroup(group, filters)}>
        <bdi>{reason ?? NO_REASON}</bdi>
      </Link>
      <small>
        {code && <code>{code}</code>}{' '}
        {[outcomeWord(outcome), after, CHANNEL_NAMES[channel], providerId && nameOf(providerId)]
          .filter(Boolean)
          .join(', ')}
      </small>
    </span>
  );
}
