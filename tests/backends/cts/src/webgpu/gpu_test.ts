/** What the emitted files use of the fixture. */
export declare class AllFeaturesMaxLimitsGPUTest {
  readonly device: GPUDevice;
  readonly queue: GPUQueue;
  createBufferTracked(descriptor: GPUBufferDescriptor): GPUBuffer;
  expectGPUBufferValuesEqual(actual: GPUBuffer, expected: Uint32Array): void;
}
