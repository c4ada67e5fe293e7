import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';

export type Hold = Schemas['HoldDto'];

export type HoldTarget = Omit<Schemas['CreateHoldDto'], 'reason'> & {
  /** What is held, as in "Email". */
  name: string;
};

/** What the operator holds, only the operator resumes. */
export const isOfOperator = ({ setBy }: Hold): boolean => setBy === 'operator';

/** Holds are shown on every page and change without the reader. */
const REFRESH_MS = 10_000;

export const holdsQuery = () =>
  queryOptions({
    queryKey: ['holds'],
    queryFn: async () => (await unwrap(api.GET('/v1/holds'))).data,
    refetchInterval: REFRESH_MS,
  });
