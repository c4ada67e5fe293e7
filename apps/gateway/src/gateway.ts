import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { TemplateRenderer } from '@clarion/content';
import { Database, IdempotencyRepository } from '@clarion/persistence';
import { NestLogger, SecretBox } from '@clarion/platform';
import { AppModule } from './app.module';
import { CalledIntegrations } from './channels/inbound-webhooks/called-integrations';
import { KeyDirectory } from './edge/auth/key-directory';
import { OperatorKey } from './edge/auth/operator';
import { SessionDirectory } from './edge/auth/session-directory';
import { WrongKeys } from './edge/auth/wrong-keys';
import type { GatewayDependencies } from './edge/dependencies';
import { installDashboard, installMissingPage } from './edge/dashboard/dashboard';
import { DialectInterceptor } from './edge/http/dialect.interceptor';
import { installDisclosure } from './edge/http/disclosure';
import { installEdge } from './edge/http/edge';
import { ErrorFilter } from './edge/http/error.filter';
import { installMethodRefusals } from './edge/http/method-refusals';
import { createServer } from './edge/http/server';
import { TenantRates } from './edge/http/tenant-rates';
import { installTenantScope } from './edge/http/tenant-scope';
import { UnknownInputInterceptor } from './edge/http/unknown-input';
import { ValidationPipe } from './edge/http/validation';
import { IdempotencyInterceptor } from './edge/idempotency/idempotency.interceptor';
import { InboxAdmission } from './inbox/inbox-admission';
import { EnvironmentLimits } from './edge/limits/environment-limits';
import { installOpenApi } from './edge/openapi/openapi';
import { Sockets } from './inbox/realtime/sockets';

export async function createGateway(dependencies: GatewayDependencies): Promise<NestFastifyApplication> {
  const { config, logger, tracing, metrics, health } = dependencies;
  const server = createServer({ config, logger, tracing, metrics, health });
  const adapter = new FastifyAdapter(server);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(dependencies), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const directories = {
    keys: app.get(KeyDirectory),
    sessions: app.get(SessionDirectory),
    operatorKey: app.get(OperatorKey),
    wrongKeys: app.get(WrongKeys),
  };
  installMissingPage(server);
  installEdge(server, {
    config,
    directories,
    renderer: app.get(TemplateRenderer),
    limits: app.get(EnvironmentLimits),
    rates: app.get(TenantRates),
    database: app.get(Database),
    called: app.get(CalledIntegrations),
    inbox: app.get(InboxAdmission),
  });
  installTenantScope(server, app.get(Database));
  installDisclosure(server);
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalInterceptors(
    new UnknownInputInterceptor(),
    new IdempotencyInterceptor(app.get(Database), app.get(IdempotencyRepository), app.get(SecretBox)),
    new DialectInterceptor(),
  );
  installOpenApi(app);
  installDashboard(server);
  app.get(Sockets).attach(server.server);
  try {
    await app.init();
    installMethodRefusals(server);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}
