import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Channel } from '../../api/channels';
import type { Outcome } from '../../ui/status';

type ActivityFilter = { status?: Outcome[]; channel?: Channel[]; reason?: string; after: string; before: string };

type ActivityLinkProps = { filter: ActivityFilter; className?: string; children: ReactNode };

export function ActivityLink({ filter, className, children }: ActivityLinkProps) {
  const search: object = filter;
  return (
    <Link to="/activity" search={search} className={className}>
      {children}
    </Link>
  );
}
