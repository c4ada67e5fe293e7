import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ActivityFilters } from '../activity/search';

type ActivityLinkProps = { filter: ActivityFilters; className?: string; children: ReactNode };

export function ActivityLink({ filter, className, children }: ActivityLinkProps) {
  const search: object = filter;
  return (
    <Link to="/activity" search={search} className={className}>
      {children}
    </Link>
  );
}
