import { Body, Controller, Inject, Param, Query, RequestMapping, RequestMethod } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, Scope, TenantWork } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import type { Alias } from './alias';
import { AliasedServices } from './aliased-services';
import { LAYOUT_ALIASES } from './layout-aliases';
import { OTHER_ALIASES } from './other-aliases';
import { SUBSCRIBER_ALIASES } from './subscriber-aliases';
import { TEMPLATE_ALIASES } from './template-aliases';
import { TOPIC_ALIASES } from './topic-aliases';

/** Every route of an older client that no present operation has. */
const ALIASES: readonly Alias[] = [
  ...SUBSCRIBER_ALIASES,
  ...TOPIC_ALIASES,
  ...LAYOUT_ALIASES,
  ...TEMPLATE_ALIASES,
  ...OTHER_ALIASES,
];

const PATH_PARAMETER = /:(\w+)/g;

/** Has one handler for each row of the table; see `addHandler`. */
@Controller()
export class OlderClientsController {
  constructor(@Inject(AliasedServices) readonly services: AliasedServices) {}
}

/** Does what decorators do on a handler in a class body, so that all hooks, pipes and documents treat it alike. */
function addHandler(row: Alias): void {
  const { prototype } = OlderClientsController;
  const [method, path] = row.route.split(' ') as [keyof typeof RequestMethod, string];
  const names = [...path.matchAll(PATH_PARAMETER)].map(([, name]) => name!);
  const handler = {
    [row.name](this: OlderClientsController, owner: KeyOwner, query: unknown, body: unknown, ...values: string[]) {
      const params = Object.fromEntries(names.map((name, index) => [name, values[index]!]));
      return row.run(this.services, { owner, params, query, body });
    },
  }[row.name]!;
  Object.defineProperty(prototype, row.name, { value: handler, writable: true, configurable: true });
  const types = [Object, row.query ?? Object, row.body ?? Object, ...names.map(() => String)];
  Reflect.defineMetadata('design:paramtypes', types, prototype, row.name);
  Owner()(prototype, row.name, 0);
  if (row.query) Query()(prototype, row.name, 1);
  if (row.body) Body()(prototype, row.name, 2);
  for (const [index, name] of names.entries()) Param(name)(prototype, row.name, 3 + index);
  const decorators = [
    RequestMapping({ path, method: RequestMethod[method] }),
    RateCategory('configuration'),
    Scope(row.scope ?? 'full'),
    ...(row.rendersTemplates ? [TenantWork('always')] : []),
    ApiTags('older clients'),
    Operation(row.summary, {
      description: `For older clients (\`@novu/node\` 2). ${row.instead}`,
      deprecated: true,
      ...row.answer,
    }),
  ];
  const descriptor = Object.getOwnPropertyDescriptor(prototype, row.name)!;
  for (const decorate of decorators) decorate(prototype, row.name, descriptor);
}

for (const row of ALIASES) addHandler(row);
