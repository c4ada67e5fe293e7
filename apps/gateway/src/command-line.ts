/** What the command line uses: services without HTTP. They load neither the Nest application nor the controllers. */
export * from './operations/environments/environment-admin';
export * from './operations/environments/key-input';
export * from './operations/holds/holds-of';
export * from './switching/mirror/mirrors-of';
export * from './operations/audit.service';
export * from './operations/doctor.service';
export * from './operations/explain-everywhere';
export * from './operations/queues.service';
export * from './operations/operations-of';
export * from './triggers/explain/explanations-of';
export * from './switching/import/import-of';
export * from './authoring/promotion/promotion';
export * from './authoring/promotion/promotion-of';
export * from './authoring/promotion/resource-kind';
export * from './authoring/promotion/resource-list';
