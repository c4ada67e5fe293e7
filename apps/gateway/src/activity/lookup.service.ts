import { Injectable } from '@nestjs/common';
import type { EnvironmentId, LookupDto, LookupMatchDto } from '@clarion/contracts';
import { type KeyOwner, type LookupMatch, LookupRepository } from '@clarion/persistence';

/** The page of the dashboard that shows a match, without the name of the match. */
const PAGES: Record<LookupMatch['kind'], string> = {
  notification: '/activity/',
  step: '/activity/',
  message: '/activity/',
  transaction: '/activity?transactionId=',
  subscriber: '/subscribers/',
  workflow: '/workflows/',
};

@Injectable()
export class LookupService {
  constructor(private readonly lookups: LookupRepository) {}

  /** The search for trace and request ids reads many rows, so it comes last. */
  async find({ environmentId }: KeyOwner, id: string): Promise<LookupDto> {
    const named = await this.byName(environmentId, id);
    return { data: named.length > 0 ? named : await this.byRequest(environmentId, id) };
  }

  /** Every kind of id that has an index. */
  async byName(environmentId: EnvironmentId, id: string): Promise<LookupMatchDto[]> {
    return onePerPage(await this.lookups.find(environmentId, id));
  }

  async byRequest(environmentId: EnvironmentId, id: string): Promise<LookupMatchDto[]> {
    return onePerPage(await this.lookups.findByRequest(environmentId, id));
  }
}

/** The first message of a step has the id of the step, and both are on one page. */
function onePerPage(matches: LookupMatch[]): LookupMatchDto[] {
  const byPath = new Map<string, LookupMatchDto>();
  for (const match of matches.map(toMatchDto)) if (!byPath.has(match.path)) byPath.set(match.path, match);
  return [...byPath.values()];
}

const toMatchDto = ({ kind, id, name, title }: LookupMatch): LookupMatchDto => ({
  kind,
  _id: id,
  title,
  path: `${PAGES[kind]}${encodeURIComponent(name)}`,
});
