// The mark of the job that decides whether a launched instance serves.

/** The key in the job's metadata; its value is the instance's id. The job's return has it too. */
export const LAUNCH_MARK = 'brine_launch'
