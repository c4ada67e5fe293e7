import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from './app.module';
import type { GatewayDependencies } from './edge/dependencies';
import { describeInterface } from './edge/openapi/openapi';

/** The description of the interface without a running gateway: in preview mode Nest only reads routes. */
export async function describeGateway(): Promise<OpenAPIObject> {
  const module = AppModule.with({} as GatewayDependencies);
  const options = { preview: true, logger: false } as const;
  return describeInterface(await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), options));
}
