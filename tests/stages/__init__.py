"""Tests of the stages by themselves."""
