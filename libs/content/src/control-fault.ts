export class ControlFault extends Error {
  constructor(
    readonly path: string,
    message: string,
    /** True when the control is one of the layout. */
    readonly isLayout = false,
  ) {
    super(message);
  }
}
