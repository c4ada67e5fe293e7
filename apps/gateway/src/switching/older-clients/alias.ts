import type { Type } from '@nestjs/common';
import type { KeyScope } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { Documented } from '../../edge/openapi/operation';
import type { AliasedServices } from './aliased-services';

/** A request of an older client after its validation. */
type AliasCall<Query, Body> = { owner: KeyOwner; params: Record<string, string>; query: Query; body: Body };

/** One row of the table of aliases: a route of an older client and what it does through the present services. */
export type Alias<Query = unknown, Body = unknown> = {
  /** The second part of the operationId. */
  name: string;
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} v1/${string}`;
  summary: string;
  /** The present operation, or why the answer is fixed. */
  instead: string;
  scope?: KeyScope;
  /** It runs templates of the caller. */
  rendersTemplates?: boolean;
  answer: Omit<Documented, 'description' | 'deprecated'>;
  query?: Type<Query>;
  body?: Type<Body>;
  run(services: AliasedServices, call: AliasCall<Query, Body>): unknown;
};

/** Checks a row against its DTOs. The rows of the table have different ones. */
export const alias = <Query, Body>(row: Alias<Query, Body>): Alias => row as Alias;
