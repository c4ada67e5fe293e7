/** class-transformer publishes its storage without types; this is the part of it that compiled-dto.ts reads. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: unknown, property: string): { typeFunction: () => unknown } | undefined;
    findTransformMetadatas(target: unknown, property: string, type: number): { transformFn: unknown }[];
  };
}
