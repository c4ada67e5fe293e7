/** `npm run api-types`: writes the types of the API, from the OpenAPI document of the gateway, for the dashboard. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { root } from '../setup.mjs';
import { builtApp } from './write-page.mjs';

const { describeGateway } = await builtApp('gateway', 'describe-gateway');
const types = astToString(await openapiTS(await describeGateway()));
const folder = join(root, 'apps/dashboard/dist/api');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'schema.d.ts'), types);
