/**
 * Tests of programs with JUnit; begin with {@link org.ftrma.junit.SurvivesEveryKill}.
 */
package org.ftrma.junit;
