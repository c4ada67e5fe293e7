import { parentPort } from 'node:worker_threads';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from './app.module';
import type { GatewayDependencies } from './edge/dependencies';
import { complete } from './edge/openapi/descriptions';
import { INTRODUCTION } from './edge/openapi/introduction';

/** The description of the interface without a running gateway: in preview mode Nest only reads routes. */
export async function describeGateway(): Promise<OpenAPIObject> {
  const module = AppModule.with({} as GatewayDependencies);
  const options = { preview: true, logger: false } as const;
  return describeInterface(await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), options));
}

function describeInterface(app: NestFastifyApplication): OpenAPIObject {
  const info = new DocumentBuilder()
    .setTitle('Clarion')
    .setDescription(INTRODUCTION)
    .setVersion('1.0')
    .setLicense('MIT', 'https://opensource.org/licenses/MIT')
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: 'ApiKey <API_KEY>' }, 'ApiKey')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token of an inbox session. An unsigned session lists, counts, marks and snoozes notifications; every ' +
          'other operation needs a signed one (403).',
      },
      'InboxToken',
    )
    .addSecurityRequirements('ApiKey')
    .build();
  return complete(SwaggerModule.createDocument(app, info, { operationIdFactory: operationId }));
}

/** For example `subscribers_create`. Client generators derive method names from it. */
function operationId(controller: string, method: string): string {
  const resource = controller.replace(/Controller$/, '');
  return `${resource.charAt(0).toLowerCase()}${resource.slice(1)}_${method}`;
}

// As a thread, this file answers the gateway that started it.
if (parentPort) void describeGateway().then((document) => parentPort!.postMessage(JSON.stringify(document)));
