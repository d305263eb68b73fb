/** Something that cannot be, as the rows or the plan stand: a fault of ours, which trying again cannot mend. */
export class BrokenInvariant extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenInvariant';
  }
}
