/** The claims that a process has ended: its next claim deletes them, as that of the repositories does. */
export class EndedClaims {
  private ids: string[] = [];

  add(claimId: string): void {
    this.ids.push(claimId);
  }

  take(): string[] {
    return this.ids.splice(0);
  }
}
