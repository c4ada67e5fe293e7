/** What the command line uses: services without HTTP. They load neither the Nest application nor the controllers. */
export * from './environments/environment-admin';
export * from './environments/key-input';
export * from './holds/holds-of';
export * from './mirror/mirrors-of';
export * from './operations/audit.service';
export * from './operations/doctor.service';
export * from './operations/explain-everywhere';
export * from './operations/queues.service';
export * from './operations/operations-of';
export * from './events/explanations-of';
export * from './import/import-of';
export * from './promotion/promotion';
export * from './promotion/promotion-of';
export * from './promotion/resource-kind';
export * from './promotion/resource-list';
