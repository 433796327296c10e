/**
 * The coordinator of a job: a pure state machine that numbers views and arbitrates exchanges, cuts, commits and
 * recovery. Its one thread is that of its host, which calls {@link org.ftrma.core.coordinator.Coordinator}.
 *
 * <ul>
 * <li>{@code Coordinator} takes what happens and hands it on; {@code Outbox} tells members and the host.
 * <li>{@code JobState} is where the job stands; {@code Member} and {@code MemberState} are where each member does.
 * <li>{@code MemberAssignment} decides which process plays which member.
 * <li>{@code LossPolicy} decides what a loss leads to; {@code FailureHandler} and {@code LocalRecoveries} carry it out.
 * <li>{@code CheckpointArbiters} holds the arbiters of cuts, demand checkpoints and generations on disk.
 * <li>{@code ViewStart}, {@code CheckpointDeadlines} and {@code LateChecksumRanks} decide how long anything may take.
 * </ul>
 */
package org.ftrma.core.coordinator;

