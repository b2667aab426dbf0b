export { Bridge, type FrameKind, type FrameWindow } from './bridge';
