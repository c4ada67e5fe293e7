import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database, IdempotencyRepository } from '@clarion/persistence';
import { NestLogger, SecretBox } from '@clarion/platform';
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { AppModule } from './app.module';
import { KeyDirectory } from './auth/key-directory';
import type { GatewayDependencies } from './core.module';
import { DialectInterceptor } from './http/dialect.interceptor';
import { installEdge, refuseConnection, requestId } from './http/edge';
import { describeError, errorBody, ErrorFilter } from './http/error.filter';
import { parseQueryString } from './http/query-string';
import { createValidationPipe } from './http/validation';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor';
import { installOpenApi } from './openapi/openapi';

/** Builds the HTTP application, ready to listen. */
export async function createGateway(dependencies: GatewayDependencies): Promise<NestFastifyApplication> {
  const { config, logger, tracing, metrics, health } = dependencies;
  const adapter = new FastifyAdapter({
    genReqId: requestId,
    clientErrorHandler: refuseConnection,
    // Whoever has not heard yet that we are closing gets an answer all the same, and is told to come by another way.
    return503OnClosing: false,
    // Fastify's own news (listening, closing) is ours to tell; its warnings are not to be missed.
    loggerInstance: logger.isLevelEnabled('warn') ? logger.child({}, { level: 'warn' }) : logger,
    // Of its own each request would say its id twice: every line on its way has it already.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: {
      // subscriberIds are long and arrive percent-encoded; the default of 100 characters would refuse them.
      maxParamLength: 8192,
      ignoreTrailingSlash: true,
      querystringParser: parseQueryString,
    },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const answer = describeError(error);
      void reply.status(answer.status).send(errorBody(answer, request.url));
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(dependencies), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  installEdge(adapter.getInstance(), { config, logger, tracing, metrics, health, keys: app.get(KeyDirectory) });
  app.useGlobalPipes(createValidationPipe());
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalInterceptors(
    new IdempotencyInterceptor(app.get(Database), app.get(IdempotencyRepository), app.get(SecretBox)),
    new DialectInterceptor(),
  );
  installOpenApi(app);
  return app;
}
