/** class-transformer publishes its storage without types; this is the part of it that compiled-dto.ts reads. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: unknown, property: string): { typeFunction: () => unknown } | undefined;
    findTransformMetadatas(target: unknown, property: string, type: number): { transformFn: unknown }[];
  };
}

/** The part of class-validator that inserts names and limits into its messages. */
declare module 'class-validator/cjs/validation/ValidationUtils' {
  import type { ValidationArguments } from 'class-validator';
  export const ValidationUtils: {
    replaceMessageSpecialTokens(
      message: string | ((args: ValidationArguments) => string),
      args: ValidationArguments,
    ): string;
  };
}
