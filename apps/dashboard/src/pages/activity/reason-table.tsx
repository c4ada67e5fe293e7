import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CHANNEL_NAMES } from '../../api/channels';
import { useProviderName } from '../../api/providers';
import { useCanWrite } from '../../session/session';
import { SignButton } from '../../ui/button';
import { Mark, outcomeTone, outcomeWord } from '../../ui/status';
import { Table } from '../../ui/table';
import { formatNumber, Time } from '../../ui/time';
import { adviceOn } from '../notification/failure';
import type { ErrorGroup } from './activity-data';
import { GroupBars, GroupRows } from './group-parts';
import styles from './groups.module.css';
import { filtersOfGroup, ReasonActions } from './reason-actions';
import type { ActivityFilters } from './search';

type Props = {
  label: string;
  groups: ErrorGroup[];
  filters: ActivityFilters;
  onReplay(of: ActivityFilters): void;
};

/** What was not delivered, by reason: what to do, how many people, and who was reached otherwise. */
export function ReasonTable({ label, groups, filters, onReplay }: Props) {
  const canWrite = useCanWrite();
  const [open, setOpen] = useState<string[]>([]);
  const isOpen = (group: ErrorGroup): boolean => open.includes(keyOf(group));
  const toggle = (key: string): void =>
    setOpen((before) => (before.includes(key) ? before.filter((each) => each !== key) : [...before, key]));
  return (
    <div className={styles['reasons']}>
      <Table
        label={label}
        rows={groups}
        rowKey={keyOf}
        columns={[
          {
            name: 'Reason',
            cell: (group) => (
              <Why group={group} filters={filters} isOpen={isOpen(group)} onToggle={() => toggle(keyOf(group))} />
            ),
          },
          { name: 'When', cell: (group) => <GroupBars group={group} /> },
          { name: 'Steps', isNumber: true, cell: ({ count }) => <strong>{formatNumber(count)}</strong> },
          { name: 'People', isNumber: true, cell: ({ people }) => formatNumber(people) },
          { name: 'Reached otherwise', isNumber: true, cell: (group) => formatNumber(group.reachedOtherwise) },
          { name: 'Last', isNumber: true, cell: ({ lastAt }) => <Time at={lastAt} relative /> },
        ]}
        below={(group) => isOpen(group) && <GroupRows group={group} filters={filters} />}
        actions={
          canWrite &&
          ((group) => (
            <span className={styles['actions']}>
              <ReasonActions group={group} onReplay={() => onReplay(filtersOfGroup(group, filters))} />
            </span>
          ))
        }
      />
    </div>
  );
}

/** What identifies a group in an answer. */
const keyOf = ({ errorGroup, isReplayed }: ErrorGroup): string => `${errorGroup} ${isReplayed}`;

type WhyProps = { group: ErrorGroup; filters: ActivityFilters; isOpen: boolean; onToggle(): void };

/** The words of the provider, with what they are about and what to do. */
function Why({ group, filters, isOpen, onToggle }: WhyProps) {
  const { reason, outcome, channel, providerId, code, isReplayed, recovered } = group;
  const nameOf = useProviderName();
  const isOver = isReplayed || outcome === 'skipped';
  const advice = isOver ? undefined : adviceOn(code ?? undefined, reason ?? '');
  return (
    <span className={styles['why']}>
      {/* What was replayed has another outcome now: it is not listed. */}
      {isReplayed ? (
        <span className={styles['noToggle']} />
      ) : (
        <SignButton
          icon="expand"
          className={styles['toggle']}
          aria-expanded={isOpen}
          aria-label={`Notifications: ${reason ?? 'no reason'}`}
          onClick={onToggle}
        />
      )}
      <Mark tone={outcomeTone(outcome)} label={outcomeWord(outcome)} />
      <Link to="/activity" search={filtersOfGroup(group, filters)}>
        <bdi className="clamped" title={reason ?? undefined}>
          {reason ?? 'No reason was recorded'}
        </bdi>
      </Link>
      <small>
        {code && <code className="tag">{code}</code>}{' '}
        {[CHANNEL_NAMES[channel], providerId && nameOf(providerId)].filter(Boolean).join(', ')}
        {isReplayed && `, replayed, ${formatNumber(recovered)} recovered`}
        {advice && ` · ${advice.text.charAt(0).toUpperCase()}${advice.text.slice(1)}`}
      </small>
    </span>
  );
}
